import assert from "node:assert/strict";
import { test } from "node:test";
import { parseScenarios } from "../../../src/document/scenario/mod.ts";

/** Parses a scenario with one more key. */
const withKey = (key: string, value: unknown) =>
  parseScenarios([{ name: "a", says: ["Hi"], excludes: ["no"], [key]: value }]);

for (const [key, accepted, refused] of [
  [
    "gate",
    [{ min_pass_rate: 0.5 }, { min_pass_rate: 1 }, { pass_all: true }, { pass_any: true }, null],
    [
      ...[{ min_pass_rate: 0 }, { min_pass_rate: 1.1 }, { min_pass_rate: "1" }, { pass_all: false }, {}, "all"],
      ...[
        { pass_all: true, pass_any: true },
        { min_pass_rate: 1, other: 1 },
      ],
    ],
  ],
  ["type", ["llm", "rule", "simulation", "unit", null], ["", "other", 5]],
  ["repeat", [1, 20, null], [0, 1.5, "2"]],
  ["max_turns", [1, null], [0, 2.5]],
  ["ends", ["agent_ended", "caller_ended"], ["", "never"]],
] as const)
  test(`parseScenarios() accepts and refuses values of "${key}"`, () => {
    for (const value of accepted) assert.equal(withKey(key, value).length, 1, JSON.stringify(value));
    for (const value of refused)
      assert.throws(() => withKey(key, value), { code: "invalid-scenario" }, JSON.stringify(value));
  });
