import assert from "node:assert/strict";
import { test } from "node:test";
import { affectedScenarios, diffGraphs } from "../../../../src/agent/analysis/diff/mod.ts";
import { shopRenamed, shopWith } from "./_graphs.ts";

const RESULTS = [
  { scenario: "books a repair", nodesVisited: ["greet", "listen", "repair", "bye"] },
  { scenario: "pays first", nodesVisited: ["greet", "listen", "pay"] },
  { scenario: "pays first", nodesVisited: ["greet", "listen", "pay", "repair", "bye"] },
  { scenario: "hangs up", nodesVisited: ["greet"] },
];

const affected = (before: Parameters<typeof diffGraphs>[0], after: Parameters<typeof diffGraphs>[1]) =>
  affectedScenarios(diffGraphs(before, after), RESULTS).map(({ scenario, nodes, changes }) => [
    scenario,
    nodes,
    changes.map(({ kind }) => kind),
  ]);

test("affectedScenarios() lists the scenarios whose calls visited a changed node", () => {
  const after = shopWith((_, nodes) => Object.assign(nodes.repair ?? {}, { state_prompt: "Ask for the day." }));
  assert.deepEqual(affected(shopWith(), after), [
    ["books a repair", ["repair"], ["prompt-changed"]],
    ["pays first", ["repair"], ["prompt-changed"]],
  ]);
});

test("affectedScenarios() looks for a renamed node under both names", () => {
  for (const [before, after] of [
    [shopWith(), shopRenamed("pay", "collect")],
    [shopRenamed("pay", "collect"), shopWith()],
  ] as const)
    assert.deepEqual(affected(before, after), [["pays first", ["pay"], ["node-renamed"]]]);
});

test("affectedScenarios() lists every scenario for a change of the agent, and only users of a snippet", () => {
  const model = shopWith((document) => Object.assign(document, { default_model: "openai/gpt-5" }));
  assert.deepEqual(
    affected(shopWith(), model).map(([scenario]) => scenario),
    ["books a repair", "pays first", "hangs up"],
  );
  const closed = shopWith((document) => Object.assign(document, { snippets: { hours: "We are closed." } }));
  assert.deepEqual(affected(shopWith(), closed)[0], ["books a repair", ["greet"], ["snippet-changed"]]);
});

test("affectedScenarios() lists nothing for a position on a canvas", () => {
  const moved = shopWith((_, nodes) =>
    Object.assign(nodes.greet ?? {}, {
      metadata: { retell: { display_position: { x: 0, y: 0 }, interruption_sensitivity: 0.5 } },
    }),
  );
  assert.deepEqual(
    diffGraphs(shopWith(), moved).map(({ kind, risk }) => [kind, risk]),
    [["layout-changed", "low"]],
  );
  assert.deepEqual(affected(shopWith(), moved), []);
});

test("affectedScenarios() refuses lists of anything but changes and results", () => {
  const results: readonly unknown[] = [
    "x",
    ["x"],
    [{ scenario: "a" }],
    [{ scenario: "a", nodesVisited: "b" }],
    [{ scenario: "a", nodesVisited: [1] }],
    [{ scenario: 1, nodesVisited: ["b"] }],
    [RESULTS[0], "x"],
    {},
  ];
  for (const wrong of results)
    assert.throws(
      () => affectedScenarios([], wrong as typeof RESULTS),
      { code: "invalid-option" },
      JSON.stringify(wrong),
    );
  const changes: readonly unknown[] = ["x", ["x"], [{ nodes: "a" }], [{ nodes: [1] }], [{ nodes: ["a"] }, null], {}];
  for (const wrong of changes)
    assert.throws(
      () => affectedScenarios(wrong as ReturnType<typeof diffGraphs>, RESULTS),
      { code: "invalid-option" },
      JSON.stringify(wrong),
    );
});
