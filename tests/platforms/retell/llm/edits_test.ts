import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { isRecord } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, type AgentNode, parseGraph } from "../../../../src/document/graph/mod.ts";
import { fc } from "../../../properties.ts";
import { renamed } from "../../structural_edits.ts";
import { anyLlm, CLINIC, plain, SINGLE } from "./documents.ts";

/** Returns the paths at which two documents differ, with the new value. */
function differences(before: unknown, after: unknown, path = ""): { path: string; after: unknown }[] {
  if (Object.is(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after))
    return Array.from({ length: Math.max(before.length, after.length) }).flatMap((_, i) =>
      differences(before[i], after[i], `${path}/${i}`),
    );
  if (isRecord(before) && isRecord(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
      differences(
        Object.hasOwn(before, key) ? before[key] : undefined,
        Object.hasOwn(after, key) ? after[key] : undefined,
        `${path}/${key}`,
      ),
    );
  return [{ path, after }];
}

/** Changes one node of the graph; returns the changes of the emitted document. */
function editing(document: unknown, id: string, edit: (node: AgentNode) => AgentNode) {
  return changes(document, (graph) => {
    const node = graph.nodes[id];
    assert.ok(node, `there is a node ${id}`);
    return { ...graph, nodes: { ...graph.nodes, [id]: edit(node) } };
  });
}

function changes(document: unknown, edit: (graph: AgentGraph) => AgentGraph) {
  const { graph } = importAgent(document, { format: "retell-llm" });
  const after = emit(parseGraph(plain(edit(graph))), "retell-llm").config;
  return differences(document, plain(after));
}

const withPrompt = (node: AgentNode): AgentNode => ({ ...node, state_prompt: "Edited" });
const withCondition =
  (index: number) =>
  (node: AgentNode): AgentNode => ({
    ...node,
    transitions: node.transitions.map((transition, i) =>
      i === index ? { ...transition, condition: { ...transition.condition, value: "Edited" } } : transition,
    ),
  });

test("emit() changes only an edited state prompt", () => {
  assert.deepEqual(editing(CLINIC, "booking", withPrompt), [{ path: "/states/1/state_prompt", after: "Edited" }]);
});

test("emit() changes only an edited condition of an edge", () => {
  assert.deepEqual(editing(CLINIC, "greeting", withCondition(1)), [
    { path: "/states/0/edges/2/description", after: "Edited" },
  ]);
});

test("emit() writes an edited condition of an end only to the tool of that state", () => {
  assert.deepEqual(editing(CLINIC, "questions", withCondition(1)), [
    { path: "/states/2/tools/0/description", after: "Edited" },
  ]);
});

test("emit() writes an edited condition of a general end to the general tool", () => {
  const edit = (node: AgentNode): AgentNode => ({
    ...node,
    global_node_setting: { go_back_conditions: [], ...node.global_node_setting, condition: "Edited" },
  });
  assert.deepEqual(editing(CLINIC, "hang_up", edit), [{ path: "/general_tools/0/description", after: "Edited" }]);
});

test("emit() changes only the edited prompt of an end", () => {
  assert.deepEqual(editing(CLINIC, "to_nurse", withPrompt), [
    { path: "/general_tools/2/execution_message_description", after: "Edited" },
  ]);
});

test("emit() retargets an edge", () => {
  const edit = (node: AgentNode): AgentNode => ({
    ...node,
    transitions: node.transitions.map((transition, i) =>
      i === 0 ? { ...transition, target_node_id: "booking" } : transition,
    ),
  });
  assert.deepEqual(editing(CLINIC, "questions", edit), [
    { path: "/states/2/edges/0/destination_state_name", after: "booking" },
  ]);
});

test("emit() keeps a single prompt unchanged when its conversation node is renamed", () => {
  for (const document of [SINGLE, { general_prompt: "Answer questions." }])
    assert.deepEqual(
      changes(document, (graph) => renamed(graph, "main", "desk")),
      [],
    );
});

test("emit() writes an edited starting state, model and begin message to their original places", () => {
  const edit = (graph: AgentGraph): AgentGraph => ({
    ...graph,
    entry_node_id: "booking",
    default_model: "gpt-5",
    source_metadata: { ...graph.source_metadata, begin_message: "Hello" },
  });
  const paths = changes(CLINIC, edit).map(({ path }) => path);
  assert.deepEqual(paths.sort(), ["/begin_message", "/model", "/starting_state"]);
});

test("emit() writes an edited variable of an edge to its parameters", () => {
  const edit = (node: AgentNode): AgentNode => ({
    ...node,
    variables_to_extract: node.variables_to_extract.map((variable) => ({ ...variable, type: "number" })),
  });
  assert.deepEqual(editing(CLINIC, "greeting_to_booking", edit), [
    { path: "/states/0/edges/0/parameters/properties/day/type", after: "number" },
  ]);
});

test("emit() moves a general tool to all states if one state changes it", () => {
  const edit = (node: AgentNode): AgentNode => ({
    ...node,
    tools: node.tools.map((tool) => ({ ...tool, description: "Edited" })),
  });
  const { graph } = importAgent(CLINIC);
  const node = graph.nodes.greeting;
  assert.ok(node);
  const { config } = emit({ ...graph, nodes: { ...graph.nodes, greeting: edit(node) } }, "retell-llm");
  const llm = isRecord(config) ? config : {};
  assert.deepEqual(
    (Array.isArray(llm.general_tools) ? llm.general_tools : []).map(({ name }) => name),
    ["hang_up", "to_nurse"],
  );
  const states: unknown[] = Array.isArray(llm.states) ? llm.states : [];
  for (const state of states.filter(isRecord))
    assert.ok(JSON.stringify(state.tools).includes("find_patient"), String(state.name));
});

test("emit() changes a general tool once if every state has the same edit", () => {
  const edit = (graph: AgentGraph): AgentGraph => ({
    ...graph,
    nodes: Object.fromEntries(
      Object.entries(graph.nodes).map(([id, node]) => [
        id,
        {
          ...node,
          tools: node.tools.map((tool) => (tool.name === "find_patient" ? { ...tool, url: "https://new" } : tool)),
        },
      ]),
    ),
  });
  assert.deepEqual(changes(CLINIC, edit), [{ path: "/general_tools/1/url", after: "https://new" }]);
});

test("emit() adds a state to a single prompt if its node gets a prompt", () => {
  const { graph } = importAgent(SINGLE);
  const main = graph.nodes.main;
  assert.ok(main);
  const { config } = emit({ ...graph, nodes: { ...graph.nodes, main: withPrompt(main) } }, "retell-llm");
  const llm = isRecord(config) && isRecord(config.retellLlmData) ? config.retellLlmData : {};
  assert.equal(llm.general_prompt, "You are the front desk.");
  assert.equal(llm.starting_state, "main");
  const [state]: unknown[] = Array.isArray(llm.states) ? llm.states : [];
  assert.equal(isRecord(state) ? state.state_prompt : undefined, "Edited");
});

test("an edited prompt or condition of any LLM is one change of the document", () => {
  fc.assert(
    fc.property(anyLlm, fc.nat(), (document, pick) => {
      const saved = plain(document);
      const { graph } = importAgent(saved, { format: "retell-llm" });
      const states = Object.values(graph.nodes).filter(
        (node) => node.node_type === "conversation" && node.state_prompt,
      );
      const node = states[pick % Math.max(states.length, 1)];
      if (!node) return;
      const prompts = editing(saved, node.id, withPrompt);
      assert.deepEqual(
        prompts.map(({ after }) => after),
        ["Edited"],
      );
      if (node.transitions.length === 0) return;
      const conditions = editing(saved, node.id, withCondition(pick % node.transitions.length));
      assert.deepEqual(
        conditions.map(({ after }) => after),
        ["Edited"],
      );
    }),
    { numRuns: 200 },
  );
});
