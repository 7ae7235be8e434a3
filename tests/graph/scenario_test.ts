import assert from "node:assert/strict";
import { test } from "node:test";
import { ScenarioError } from "../../src/errors.ts";
import { parseScenarios } from "../../src/graph/mod.ts";

test("parseScenarios() reads the test cases of other tools", () => {
  const [llm, rule] = parseScenarios([
    { name: "Billing", user_prompt: "You are Jane.", metrics: ["Was polite"], type: "simulation", tool_mocks: [] },
    { name: "No number", user_prompt: "Say hello.", excludes: ["123"], patterns: ["REF-*"], type: "unit" },
  ]);
  assert.equal(llm?.type, "llm");
  assert.deepEqual(llm?.metrics, [{ criterion: "Was polite", threshold: 0.7 }]);
  assert.equal(rule?.type, "rule");
  assert.deepEqual(rule?.excludes, ["123"]);
  assert.deepEqual(rule?.visits, []);
});

test("parseScenarios() keeps keys that it does not know", () => {
  assert.equal(JSON.parse(JSON.stringify(parseScenarios({ name: "a", author: "Jo" })[0])).author, "Jo");
});

test("parseScenarios() refuses what would be asked for and never looked at", () => {
  const slips: readonly (readonly [keys: object, path: readonly (string | number)[], hint: string])[] = [
    [{ exclude: ["refund"] }, [0, "exclude"], 'Did you mean "excludes"?'],
    [{ toolMocks: [] }, [0, "toolMocks"], 'Did you mean "tool_mocks"?'],
    [{ exlcudes: ["refund"] }, [0, "exlcudes"], 'Did you mean "excludes"?'],
    [{ metrics: [{ criterion: "Polite", treshold: 0.9 }] }, [0, "metrics", 0, "treshold"], 'Did you mean "threshold"?'],
    [{ metrics: [" "] }, [0, "metrics", 0], "Write what the judge shall look for, or take it away"],
    [{ metrics: [{ criterion: "" }] }, [0, "metrics", 0], "Write what the judge shall look for, or take it away"],
    [
      { calls: [{ tool: "look_up", arguments: { id: 1 } }] },
      [0, "calls", 0, "arguments"],
      'An expected call has a "tool" and "args"',
    ],
  ];
  for (const [keys, path, hint] of slips)
    assert.throws(() => parseScenarios({ name: "a", ...keys }), { code: "invalid-scenario", path, hint });
  const foreign = { id: 1, tags: ["x"], notes: "", test_case_definition_id: "t", creation_timestamp: 1, models: [] };
  const marked = { _name: "b", $type: "case", "//metrics": ["Polite"], name2: "c" };
  assert.equal(parseScenarios({ name: "a", ...foreign, ...marked }).length, 1);
});

test("parseScenarios() says what is wrong with a criterion", () => {
  assert.throws(() => parseScenarios({ name: "a", metrics: [{ criterion: "Polite", threshold: "high" }] }), {
    path: [0, "metrics", 0, "threshold"],
    message: /metrics\.0\.threshold: .*"high"/,
  });
});

test("parseScenarios() lets a mock answer every call that does not say otherwise", () => {
  const [scenario] = parseScenarios({ name: "a", tool_mocks: [{ tool_name: "lookup", output: "{}" }] });
  assert.deepEqual(scenario?.tool_mocks, [
    { tool_name: "lookup", output: "{}", input_match_rule: { type: "any" }, result: true },
  ]);
});

test("parseScenarios() lets a mock answer nothing at all", () => {
  const [scenario] = parseScenarios({ name: "a", tool_mocks: [{ tool_name: "lookup" }] });
  assert.equal(scenario?.tool_mocks[0]?.output, null);
});

test("parseScenarios() refuses lists where objects should be", () => {
  const mock = { tool_name: "t", input_match_rule: { type: "partial_match", args: [] } };
  for (const keys of [
    { dynamic_variables: ["x"] },
    { extracts: [] },
    { calls: [{ tool: "t", args: [1] }] },
    { tool_mocks: [mock] },
  ])
    assert.throws(() => parseScenarios({ name: "a", ...keys }), { code: "invalid-scenario", hint: "Expected Object" });
});

test("parseScenarios() tells all problems at once", () => {
  const list = [{ name: "a" }, { name: "a" }, { user_prompt: "no name" }, { name: "b", metrics: [{ threshold: 2 }] }];
  assert.throws(
    () => parseScenarios(list),
    (error: unknown) => {
      assert.ok(error instanceof ScenarioError);
      const codes = error.issues.map(({ code }) => code);
      assert.ok(codes.includes("invalid-scenario") && codes.includes("duplicate-scenario"));
      assert.ok(error.issues.some(({ path }) => path[0] === 2));
      return true;
    },
  );
});
