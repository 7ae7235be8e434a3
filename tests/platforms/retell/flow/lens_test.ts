import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { getAt, sameJson } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, parseGraph, withoutOriginal } from "../../../../src/document/graph/mod.ts";
import { fc } from "../../../properties.ts";
import { documents } from "./documents.ts";

const read = (document: unknown): AgentGraph => importAgent(document, { format: "retell" }).graph;

const saved = (graph: AgentGraph): AgentGraph => parseGraph(JSON.parse(JSON.stringify(graph)));
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function emitted(graph: AgentGraph): unknown {
  return plain(emit(graph, "retell").config);
}

const RUNS = Number(process.env.RUNS ?? 120);

test("emit() returns every imported document unchanged", () => {
  fc.assert(
    fc.property(documents(), (document) => {
      const before = plain(document);
      const graph = saved(read(before));
      assert.deepEqual(emitted(graph), before);
      assert.deepEqual(emit(graph, "retell").losses, []);
    }),
    { numRuns: RUNS },
  );
});

test("importing an emitted document returns its graph", () => {
  fc.assert(
    fc.property(documents(), (document) => {
      const graph = saved(read(plain(document)));
      assert.ok(sameJson(withoutOriginal(saved(read(emitted(graph)))), withoutOriginal(graph)));
    }),
    { numRuns: RUNS },
  );
});

test("go-back conditions with the same id are read, edited and written one by one", () => {
  const back = (prompt: string) => ({ id: "back", unknown: prompt, transition_condition: { type: "prompt", prompt } });
  const setting = {
    condition: "Caller asks for help",
    go_back_conditions: [back("Done"), back("Bored"), back("Done")],
  };
  const text = { type: "prompt", text: "Help." };
  const first = { id: "help", type: "conversation", instruction: text, global_node_setting: setting };
  const graph = saved(read({ start_node_id: "help", nodes: [first] }));
  const { help } = graph.nodes;
  assert.ok(help?.global_node_setting);
  const backs = help.global_node_setting.go_back_conditions;
  assert.deepEqual(
    backs.map(({ condition }) => condition.value),
    ["Done", "Bored", "Done"],
  );
  const written = (go_back_conditions: typeof backs) => {
    const edited = { ...help, global_node_setting: { condition: setting.condition, go_back_conditions } };
    const config = emitted(saved({ ...graph, nodes: { help: edited } }));
    return getAt(config, ["nodes", 0, "global_node_setting", "go_back_conditions"]);
  };
  const added = { id: "new", condition: { type: "llm_prompt" as const, value: "Ready" } };
  const ready = { id: "new", transition_condition: { type: "prompt", prompt: "Ready" } };
  assert.deepEqual(written([...backs, added]), [...setting.go_back_conditions, ready]);
  assert.deepEqual(written(backs.slice(0, 2)), setting.go_back_conditions.slice(0, 2));
});

test("an equation whose sides stand at the condition itself is edited there", () => {
  const edges = [
    { type: "equation", left_side: "plan", operator: "==", right_side: "gold" },
    { type: "equation", left: "plan", operator: "==", right: "gold" },
  ].map((condition, index) => ({ id: `e${index}`, destination_node_id: "ask", transition_condition: condition }));
  const node = { id: "ask", type: "conversation", instruction: { type: "prompt", text: "Ask." }, edges };
  const graph = saved(read({ start_node_id: "ask", nodes: [node] }));
  const { ask } = graph.nodes;
  assert.ok(ask);
  const transitions = ask.transitions.map((each) => ({
    ...each,
    condition: { ...each.condition, equations: [{ left: "plan", operator: "==", right: "silver" }] },
  }));
  const config = emitted(saved({ ...graph, nodes: { ask: { ...ask, transitions } } }));
  assert.deepEqual(getAt(config, ["nodes", 0, "edges"]), [
    {
      ...edges[0],
      transition_condition: { type: "equation", left_side: "plan", operator: "==", right_side: "silver" },
    },
    { ...edges[1], transition_condition: { type: "equation", left: "plan", operator: "==", right: "silver" } },
  ]);
});
