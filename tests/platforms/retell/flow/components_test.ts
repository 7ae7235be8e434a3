import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import type { Path } from "../../../../src/base/errors.ts";
import { getAt, type JsonObject, setAt } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, parseGraph } from "../../../../src/document/graph/mod.ts";

const says = (prompt: string) => ({ type: "prompt", prompt });
const talks = (id: string, text: string, ...edges: readonly (readonly [when: string, to: string])[]) => ({
  id,
  type: "conversation",
  instruction: { type: "prompt", text },
  edges: edges.map(([when, to]) => ({ id: `${id}-${to}`, transition_condition: says(when), destination_node_id: to })),
});

/** A flow that asks for a card in a component: the graph's nodes `pay`, `pay/ask`, `pay/done` and `pay/exit`. */
const FLOW = {
  conversation_flow_id: "f",
  start_node_id: "hi",
  nodes: [
    talks("hi", "Greet", ["Caller pays", "pay"]),
    {
      id: "pay",
      type: "component",
      component_id: "card",
      component_type: "local",
      else_edge: { id: "after", transition_condition: says("Else"), destination_node_id: "bye" },
    },
    talks("bye", "Say goodbye"),
  ],
  components: [
    {
      name: "Card",
      conversation_flow_component_id: "card",
      start_node_id: "ask",
      nodes: [talks("ask", "Ask for the card", ["Card is given", "done"]), { id: "done", type: "end" }],
    },
  ],
};

const HOLIDAY = { condition: "Caller asks for holidays", go_back_conditions: [] };
const TOOL = { name: "look", description: "Looks", type: "custom", url: "https://example.test", tool_id: "look" };
const goesTo = (target: string) => ({
  target_node_id: target,
  condition: { type: "llm_prompt" as const, value: "Caller is lost" },
});
const always = (target: string) => ({ target_node_id: target, condition: { type: "always" as const, value: "" } });
const twice = {
  target_node_id: "pay/ask",
  condition: { type: "equation", value: "", equations: [{ left: "tries", operator: "<", right: "2" }] },
};

/** Changes the graph of the flow, and emits it. */
function emitted(edits: readonly (readonly [path: Path, value: unknown])[]) {
  const { graph } = importAgent(structuredClone(FLOW), { format: "retell" });
  const before: JsonObject = JSON.parse(JSON.stringify(graph));
  const edited = parseGraph(edits.reduce((result, [path, value]) => setAt(result, path, value), before));
  const { config, losses } = emit(edited, "retell");
  const again = importAgent(JSON.parse(JSON.stringify(config)), { format: "retell" }).graph;
  return { edited, config, again, codes: losses.map(({ code }) => code) };
}

/** Returns where each node leads, and when. */
function ways({ nodes }: AgentGraph) {
  return Object.values(nodes)
    .map(({ id, transitions }) => [id, transitions.map((each) => [each.condition.value, each.target_node_id])] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

const extra = (id: string, transition: object) => [["nodes", id, "transitions", 1], transition] as const;

test("a component whose nodes are edited stays a component", () => {
  const { edited, config, again, codes } = emitted([
    [["nodes", "pay/ask", "state_prompt"], "Ask for the card's number"],
  ]);
  assert.deepEqual(codes, []);
  assert.equal(getAt(config, ["components", 0, "nodes", 0, "instruction", "text"]), "Ask for the card's number");
  assert.deepEqual(ways(again), ways(edited));
});

test("a component becomes nodes of the flow, which lead where they led, when an edit gives it what it cannot have", () => {
  const edits: { readonly [edit: string]: readonly (readonly [path: Path, value: unknown])[] } = {
    "another way into its first node": [extra("hi", goesTo("pay/ask"))],
    "another way to its exit": [extra("hi", goesTo("pay/exit"))],
    "a start inside it": [[["entry_node_id"], "pay/ask"]],
    "a start at its exit": [[["entry_node_id"], "pay/exit"]],
    "a way out": [extra("pay/ask", goesTo("bye"))],
    "a way back to its own node": [extra("pay/ask", goesTo("pay"))],
    "a way to its exit with a condition": [extra("pay/ask", goesTo("pay/exit"))],
    "a tool at its exit": [[["nodes", "pay/exit", "tools"], [TOOL]]],
    "an exit that is global": [[["nodes", "pay/exit", "global_node_setting"], HOLIDAY]],
    "an exit with a prompt": [[["nodes", "pay/exit", "state_prompt"], "Thank the caller"]],
    "a tool where it ends": [[["nodes", "pay/done", "tools"], [TOOL]]],
    "a second way where it ends": [
      [
        ["nodes", "pay/done", "transitions"],
        [twice, always("pay/exit")],
      ],
    ],
    "a question where it ends": [[["nodes", "pay/done", "node_type"], "conversation"]],
    "a condition where it ends": [[["nodes", "pay/done", "transitions", 0], goesTo("pay/exit")]],
    "a second way into it": [
      [
        ["nodes", "pay", "transitions"],
        [always("pay/ask"), always("bye")],
      ],
    ],
    "a condition at its entrance": [[["nodes", "pay", "transitions", 0], goesTo("pay/ask")]],
  };
  for (const [edit, changes] of Object.entries(edits)) {
    const { edited, config, again, codes } = emitted(changes);
    assert.ok(codes.includes("component"), edit);
    assert.equal(again.entry_node_id, edited.entry_node_id, edit);
    assert.ok(JSON.stringify(getAt(config, ["nodes"])).includes("Ask for the card"), edit);
    const led = new Map(ways(again));
    for (const [id, own] of ways(edited)) if (id !== "pay") assert.deepEqual(led.get(id), own, `${edit}: ${id}`);
  }
});
