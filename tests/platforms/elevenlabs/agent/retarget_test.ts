import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { getAt, isRecord, type JsonObject, mergeJson } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, parseGraph, type Transition } from "../../../../src/document/graph/mod.ts";

const llm = (condition: string) => ({ type: "llm", condition });
const asked = (description: string) => ({
  type: "llm",
  value_schema: { type: "boolean", description, x_hint: "kept" },
});
const talk = (label: string, ...edge_order: string[]) => ({
  ...{ type: "override_agent", label, position: { x: 0, y: 0 }, additional_prompt: `At ${label}.`, edge_order },
});

/** One edge serves both ways; another has a question as its expression, and a third the older spelling of one. */
const AGENT = {
  conversation_config: { agent: { prompt: { prompt: "Be kind." } } },
  workflow: {
    nodes: {
      start_node: { type: "start", position: { x: 0, y: 0 }, edge_order: ["begin"] },
      ask: talk("ask", "both", "said"),
      tell: talk("tell", "both", "older"),
      help: talk("help"),
      bye: { type: "end", position: { x: 0, y: 0 }, edge_order: [] },
    },
    edges: {
      begin: { source: "start_node", target: "ask", forward_condition: { type: "unconditional" } },
      both: { source: "ask", target: "tell", forward_condition: llm("answered"), backward_condition: llm("again") },
      said: {
        source: "ask",
        target: "bye",
        forward_condition: {
          type: "expression",
          expression: { type: "and_operator", children: [asked("no interest")] },
        },
      },
      older: {
        source: "tell",
        target: "bye",
        forward_condition: { type: "expression", expression: { type: "llm", prompt: "all is told" } },
      },
    },
  },
};

/** The workflow after a change of the first transition from one node to another. */
function workflowAfter(from: string, to: string, change: (transition: Transition) => Transition): JsonObject {
  const { graph } = importAgent(JSON.stringify(AGENT));
  const node = graph.nodes[from] ?? assert.fail();
  const index = node.transitions.findIndex(({ target_node_id: target }) => target === to);
  const transitions = node.transitions.map((each, place) => (place === index ? change(each) : each));
  const edited: AgentGraph = { ...graph, nodes: { ...graph.nodes, [from]: { ...node, transitions } } };
  const { config } = emit(parseGraph(JSON.parse(JSON.stringify(edited))), "elevenlabs");
  return isRecord(config) && isRecord(config.workflow) ? config.workflow : assert.fail();
}

const led = (target_node_id: string) => (transition: Transition) => ({ ...transition, target_node_id });
const worded = (value: string) => (transition: Transition) => ({
  ...transition,
  condition: { ...transition.condition, value },
});

test("an edge of which one way leads elsewhere stays with the two nodes that its other way joins", () => {
  const { nodes, edges } = AGENT.workflow;
  assert.deepEqual(workflowAfter("ask", "tell", led("help")), {
    nodes: mergeJson(nodes, { ask: { edge_order: ["ask_to_help", "said"] } }),
    edges: {
      ...edges,
      both: { ...edges.both, forward_condition: null },
      ask_to_help: { source: "ask", target: "help", forward_condition: llm("answered") },
    },
  });
  const { backward_condition: _, ...forward } = edges.both;
  assert.deepEqual(workflowAfter("tell", "ask", led("help")), {
    nodes: mergeJson(nodes, { tell: { edge_order: ["tell_to_help", "older"] } }),
    edges: {
      ...edges,
      both: forward,
      tell_to_help: { source: "tell", target: "help", forward_condition: llm("again") },
    },
  });
});

test("an edited question is written where it stood, in the spelling that it had", () => {
  const said = workflowAfter("ask", "bye", worded("no interest at all"));
  assert.deepEqual(said, mergeJson(AGENT.workflow, { edges: { said: getAt(said, ["edges", "said"]) } }));
  assert.deepEqual(getAt(said, ["edges", "said", "forward_condition"]), {
    type: "expression",
    expression: { type: "and_operator", children: [asked("no interest at all")] },
  });
  const older = workflowAfter("tell", "bye", worded("all is told twice"));
  assert.deepEqual(getAt(older, ["edges", "older", "forward_condition"]), {
    type: "expression",
    expression: { type: "llm", prompt: "all is told twice" },
  });
});

test("a transition before one to the same node is the first alternative of its edge, which keeps its unknown keys", () => {
  const agent = structuredClone(AGENT);
  Object.assign(agent.workflow.edges.both.forward_condition, { x_note: 7 });
  const { graph } = importAgent(JSON.stringify(agent));
  const ask = graph.nodes.ask ?? assert.fail();
  const [first] = ask.transitions;
  const before = {
    target_node_id: "tell",
    condition: { type: "llm_prompt", value: "in a hurry" },
    metadata: {},
  } as const;
  const transitions = [before, ...ask.transitions];
  const edited: AgentGraph = { ...graph, nodes: { ...graph.nodes, ask: { ...ask, transitions } } };
  const { text } = emit(edited, "elevenlabs");
  const again = importAgent(text).graph.nodes.ask?.transitions ?? [];
  const conditions = [before, first].map((each) => each?.condition);
  assert.deepEqual(
    again.slice(0, 2).map(({ condition }) => condition),
    conditions,
  );
  const condition: unknown = getAt(JSON.parse(text), ["workflow", "edges", "both", "forward_condition"]);
  assert.ok(isRecord(condition));
  assert.deepEqual([condition.type, condition.x_note], ["expression", 7]);
});
