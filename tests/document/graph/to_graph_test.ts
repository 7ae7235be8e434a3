import assert from "node:assert/strict";
import { test } from "node:test";
import { checkGraph, checkScenarios } from "../../../api/analysis.ts";
import { compareTurns } from "../../../api/calls.ts";
import { extractSecrets } from "../../../api/platforms.ts";
import * as cw from "../../../mod.ts";

const clinic = cw.flow("clinic").conversation("greet", { prompt: "Greet." }).compile();
const builder = cw.flow("clinic").conversation("greet", { prompt: "Greet." });
const nobody = cw.scenario("any").says("Hi").excludes("never said");
const models = { agent: cw.offline() };

type Use = (graph: typeof clinic) => unknown;

/** Every function that takes a graph, called with what plain JavaScript may pass. */
const USES: { readonly [name: string]: Use } = {
  run: (graph) => cw.run(graph, [nobody], { store: false }),
  compareTurns: (graph) => compareTurns(graph, [nobody]),
  estimate: (graph) => cw.estimate(graph, [nobody]),
  conversation: (graph) => cw.conversation(graph, { models }),
  check: (graph) => cw.check(graph),
  checkGraph: (graph) => checkGraph(graph),
  checkScenarios: (graph) => checkScenarios(graph, [nobody]),
  emit: (graph) => cw.emit(graph, "graph"),
  parseGraph: (graph) => cw.parseGraph(graph),
};

const FULL = cw.parseGraph({ entry_node_id: "greet", nodes: { greet: { state_prompt: "Greet." } } });
const nodeWith = (part: object) => ({ ...FULL, nodes: { greet: { ...FULL.nodes.greet, ...part } } });

const NO_GRAPHS = [undefined, null, "clinic", "", 7, true, [], [clinic], {}, () => clinic, { nodes: null }];

for (const [name, use] of Object.entries(USES)) {
  const called = async (value: unknown) => await use(value as typeof clinic); // as plain JavaScript calls it

  test(`${name}() asks to compile a flow first`, async () => {
    await assert.rejects(called(builder), { name: "GraphError", code: "not-a-graph", hint: /\.compile\(\)/ });
  });

  test(`${name}() rejects values that are not graphs`, async () => {
    for (const value of NO_GRAPHS)
      await assert.rejects(called(value), { name: "GraphError", code: "not-a-graph", message: /^Cannot .*: / });
  });

  test(`${name}() reports the problems of a document`, async () => {
    const nodes = { greet: { state_prompt: 7, transitions: "none" } };
    await assert.rejects(called({ entry_node_id: "greet", nodes }), (error) => {
      assert.ok(cw.isCallweaveError(error), String(error));
      assert.deepEqual(
        error.issues.map(({ code, path }) => `${code} ${path.join(".")}`),
        ["wrong-type nodes.greet.state_prompt", "wrong-type nodes.greet.transitions"],
      );
      return true;
    });
  });

  test(`${name}() accepts a document without optional keys`, async () => {
    const document = { entry_node_id: "greet", nodes: { greet: { state_prompt: "Greet." } } };
    await called(document);
    assert.deepEqual(document, { entry_node_id: "greet", nodes: { greet: { state_prompt: "Greet." } } });
  });
}

for (const [name, graph] of Object.entries({
  "a source type": { ...FULL, source_type: undefined },
  "what a tool is for": nodeWith({ tools: [{ name: "find" }] }),
  "what a variable is": nodeWith({ variables_to_extract: [{ name: "day" }] }),
  "a condition's words": nodeWith({ transitions: [{ target_node_id: "greet", condition: { type: "always" } }] }),
  "conditions to go back": nodeWith({ global_node_setting: { condition: "Caller is lost" } }),
  "a way back's id": nodeWith({
    global_node_setting: { condition: "", go_back_conditions: [{ condition: { type: "always" } }] },
  }),
}))
  test(`a document without ${name} is read even if it is otherwise complete`, () => {
    const loose = graph as unknown as typeof clinic; // as plain JavaScript passes it
    for (const target of ["retell", "retell-llm", "vapi-squad", "vapi-assistant", "graph"]) {
      assert.deepEqual(cw.check(loose, { target }), cw.check(cw.parseGraph(graph), { target }));
      assert.deepEqual(cw.emit(loose, target), cw.emit(cw.parseGraph(graph), target));
    }
  });

test("extractSecrets() rejects values that are not graphs", () => {
  for (const value of [builder, undefined, null, "clinic", []])
    assert.throws(() => extractSecrets(value as unknown as typeof clinic), { code: "not-a-graph" }); // no types there
});

test("a call cannot start at an unknown node", async () => {
  const graph = { ...clinic, entry_node_id: "gret" };
  const expected = { code: "unknown-entry", path: ["entry_node_id"], hint: 'Did you mean "greet"?' };
  assert.throws(() => cw.conversation(graph, { models }), expected);
  await assert.rejects(cw.run(graph, [nobody], { store: false }), expected);
  assert.deepEqual(
    cw.check(graph).map(({ code }) => code),
    ["unknown-entry"],
  );
  for (const target of ["vapi-squad", "vapi-assistant"]) {
    assert.throws(() => cw.emit(graph, target), expected);
    assert.equal(cw.check(graph, { target })[0]?.code, "unknown-entry");
  }
});

test("a call that reaches an unknown node names it", async () => {
  const greet = cw.parseGraph(clinic).nodes.greet;
  assert.ok(greet);
  const condition = { type: "always", value: "" } as const;
  const transitions = [{ target_node_id: "by", condition, timing: "skip_response" }] as const;
  const graph = { ...clinic, nodes: { greet: { ...greet, transitions } } };
  await assert.rejects(cw.conversation(graph, { models }).open(), { code: "unknown-target", path: ["nodes", "by"] });
});
