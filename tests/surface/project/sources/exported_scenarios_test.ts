import assert from "node:assert/strict";
import { test } from "node:test";
import { exportedScenarios } from "../../../../src/surface/project/mod.ts";

const ONE = { name: "one", says: ["Hello."] };

const KEYS = [
  ...["user_prompt", "persona", "says", "metrics", "judge", "includes", "excludes", "patterns", "matches"],
  ...["visits", "avoids", "ends", "extracts", "calls", "checks", "answers_within_ms"],
];

for (const key of KEYS)
  test(`exportedScenarios() takes an object with a name and "${key}"`, () => {
    assert.deepEqual(exportedScenarios({ any: { name: "one", [key]: [] } }), [{ name: "one", [key]: [] }]);
  });

test("exportedScenarios() takes a misspelled key, so that its error is shown", () => {
  assert.equal(exportedScenarios({ any: { name: "one", persone: "You are Jo." } }).length, 1);
});

test("exportedScenarios() leaves out objects without a name, graphs, and values of other tools", () => {
  const others = { a: { says: ["Hi"] }, b: { ...ONE, nodes: {} }, c: { name: "vite", plugins: [] }, d: null, e: 5 };
  assert.deepEqual(exportedScenarios(others), []);
});

test("exportedScenarios() takes a list that contains a scenario whole, and each scenario once", () => {
  const broken = { name: 5 };
  assert.deepEqual(exportedScenarios({ all: [ONE, broken], one: ONE, numbers: [1, 2] }), [ONE, broken]);
});
