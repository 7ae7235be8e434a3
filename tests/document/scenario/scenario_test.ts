import assert from "node:assert/strict";
import { test } from "node:test";
import { ScenarioError } from "../../../src/base/errors.ts";
import { parseScenarios } from "../../../src/document/scenario/mod.ts";

test("parseScenarios() reads the test cases of other tools", () => {
  const [llm, rule] = parseScenarios([
    { name: "Billing", user_prompt: "You are Jane.", metrics: ["Was polite"], type: "simulation", tool_mocks: [] },
    { name: "No number", user_prompt: "Say hello.", excludes: ["123"], patterns: ["REF-*"], type: "unit" },
  ]);
  assert.equal(llm?.type, "llm");
  assert.deepEqual(llm?.metrics, [{ criterion: "Was polite" }]);
  assert.equal(rule?.type, "rule");
  assert.deepEqual(rule?.excludes, ["123"]);
  assert.deepEqual(rule?.visits, []);
});

test("parseScenarios() keeps notes, which are not expectations", () => {
  const notes = { metadata: { author: "Jo" }, tags: ["slow"], x_ticket: 7, "//": "see above" };
  assert.deepEqual(parseScenarios({ name: "a", ...notes })[0], { ...parseScenarios({ name: "a" })[0], ...notes });
});

test("parseScenarios() rejects unknown keys, so that no expectation is ignored", () => {
  const cases: readonly (readonly [keys: object, path: readonly (string | number)[], hint: string])[] = [
    [{ author: "Jo" }, [0, "author"], 'Remove it, or put notes under "metadata"'],
    [{ threshold: 0.9 }, [0, "threshold"], 'Give each criterion its own: { "criterion": "…", "threshold": 0.9 }'],
    [{ criteria: ["sings"] }, [0, "criteria"], 'Did you mean "metrics"?'],
    [{ expected: "sings" }, [0, "expected"], 'Did you mean "includes"?'],
    [{ jugde: ["sings"] }, [0, "jugde"], 'Did you mean "judge"?'],
    [{ says: ["bye"], check: "sings" }, [0, "check"], "A check is a function: write the scenario in code"],
    [
      { tool_mocks: [{ tool_name: "t", delay: 3 }] },
      [0, "tool_mocks", 0, "delay"],
      "Use one of tool_name, input_match_rule, output, result, delay_ms, times, state_changes",
    ],
    [
      { tool_mocks: [{ tool_name: "t", input_match_rule: { type: "any", args: { id: 1 } } }] },
      [0, "tool_mocks", 0, "input_match_rule", "args"],
      'Set "type" to "partial_match"',
    ],
    [{ judge: [{ criterion: "sings", treshold: 1 }] }, [0, "judge", 0, "treshold"], 'Did you mean "threshold"?'],
    [{ mock: { find: { output: "x", fail: true } } }, [0, "mock", "find", "fail"], 'Did you mean "fails"?'],
  ];
  for (const [keys, path, hint] of cases)
    assert.throws(() => parseScenarios({ name: "a", ...keys }), { code: "invalid-scenario", path, hint });
});

test("parseScenarios() accepts the builder's names", () => {
  const words = {
    name: "a",
    persona: "You are Jo.",
    variables: { city: "Oslo" },
    mock: { find: { args: { id: 1 }, output: "late", fails: true, delay_ms: 5 }, look: { sky: "grey" } },
    judge: ["is kind", { criterion: "is brief", threshold: 0.5 }],
    matches: "REF-*",
    turns: 3,
  };
  const keys = {
    name: "a",
    user_prompt: "You are Jo.",
    dynamic_variables: { city: "Oslo" },
    tool_mocks: [
      {
        tool_name: "find",
        input_match_rule: { type: "partial_match", args: { id: 1 } },
        output: "late",
        result: false,
        delay_ms: 5,
      },
      { tool_name: "look", output: { sky: "grey" } },
    ],
    metrics: ["is kind", { criterion: "is brief", threshold: 0.5 }],
    patterns: ["REF-*"],
    max_turns: 3,
  };
  assert.deepEqual(parseScenarios(words), parseScenarios(keys));
  const list = [
    { tool: "find", args: { id: 1 }, output: "late", fails: true, delayMs: 5 },
    { tool_name: "look", output: { sky: "grey" } },
  ];
  assert.deepEqual(parseScenarios({ ...words, mock: list }), parseScenarios(keys));
  assert.deepEqual(parseScenarios({ name: "a", judge: "is kind" })[0]?.metrics, [{ criterion: "is kind" }]);
  assert.deepEqual(parseScenarios({ name: "a", judge: null, metrics: ["is kind"] })[0]?.metrics.length, 1);
});

test("parseScenarios() rejects an alias next to its key", () => {
  const both = { name: "a", judge: ["is kind"], metrics: ["is brief"] };
  assert.throws(() => parseScenarios(both), { path: [0, "judge"], hint: 'Keep one of "judge" and "metrics"' });
  const mock = { name: "a", mock: [{ tool: "find", tool_name: "look" }] };
  assert.throws(() => parseScenarios(mock), { code: "invalid-scenario", path: [0, "mock", 0, "tool"] });
});

test("parseScenarios() reports problems under the alias that the author wrote", () => {
  const paths = [
    [{ judge: 7 }, [0, "judge"]],
    [{ judge: { criterion: "" } }, [0, "judge"]],
    [{ mock: { find: { times: 0 } } }, [0, "mock", "find", "times"]],
    [{ turns: 0 }, [0, "turns"]],
  ] as const;
  for (const [keys, path] of paths) assert.throws(() => parseScenarios({ name: "a", ...keys }), { path });
});

test("parseScenarios() rejects expectations that nothing would check", () => {
  const slips: readonly (readonly [keys: object, path: readonly (string | number)[], hint: string])[] = [
    [{ exclude: ["refund"] }, [0, "exclude"], 'Did you mean "excludes"?'],
    [{ toolMocks: [] }, [0, "toolMocks"], 'Did you mean "tool_mocks"?'],
    [{ exlcudes: ["refund"] }, [0, "exlcudes"], 'Did you mean "excludes"?'],
    [{ metrics: [{ criterion: "Polite", treshold: 0.9 }] }, [0, "metrics", 0, "treshold"], 'Did you mean "threshold"?'],
    [{ metrics: [" "] }, [0, "metrics", 0], "Write what the judge should check, or remove it"],
    [{ metrics: [{ criterion: "" }] }, [0, "metrics", 0], "Write what the judge should check, or remove it"],
    [{ calls: [{ tool: "look_up", arguments: { id: 1 } }] }, [0, "calls", 0, "arguments"], "Use one of tool, args"],
  ];
  for (const [keys, path, hint] of slips)
    assert.throws(() => parseScenarios({ name: "a", ...keys }), { code: "invalid-scenario", path, hint });
  const foreign = { id: 1, tags: ["x"], notes: "", test_case_definition_id: "t", creation_timestamp: 1 };
  const marked = { _name: "b", $type: "case", "//metrics": ["Polite"] };
  assert.equal(parseScenarios({ name: "a", ...foreign, ...marked }).length, 1);
});

test("parseScenarios() names the gates that there are", () => {
  for (const gate of [{ min: 1 }, { pass_all: true, pass_any: true }, "all"])
    assert.throws(() => parseScenarios({ name: "a", gate }), {
      path: [0, "gate"],
      message: /gate: Expected { pass_all: true }, { pass_any: true } or { min_pass_rate: 0.9 }$/,
    });
});

test("parseScenarios() rejects a key __proto__", () => {
  const cases: readonly (readonly [json: string, path: readonly (string | number)[]])[] = [
    ['{"__proto__": {"metrics": ["must sing"]}}', [0, "__proto__"]],
    ['{"metrics": [{"criterion": "sings", "__proto__": {"threshold": 1}}]}', [0, "metrics", 0, "__proto__"]],
    ['{"calls": [{"tool": "look", "__proto__": {"args": {"id": 1}}}]}', [0, "calls", 0, "__proto__"]],
    ['{"mock": [{"tool": "look", "__proto__": {"fails": true}}]}', [0, "mock", 0, "__proto__"]],
  ];
  for (const [json, path] of cases)
    assert.throws(() => parseScenarios(JSON.parse(json.replace("{", '{"name": "a",'))), {
      code: "invalid-scenario",
      path,
    });
  const named = parseScenarios(JSON.parse('{"name": "a", "extracts": {"__proto__": "x"}}'));
  assert.deepEqual(Object.entries(named[0]?.extracts ?? {}), [["__proto__", "x"]]);
});

test("parseScenarios() reports the problems of a criterion", () => {
  assert.throws(() => parseScenarios({ name: "a", metrics: [{ criterion: "Polite", threshold: "high" }] }), {
    path: [0, "metrics", 0, "threshold"],
    message: /metrics\.0\.threshold: .*"high"/,
  });
});

test("parseScenarios() makes a mock answer every call by default", () => {
  const [scenario] = parseScenarios({ name: "a", tool_mocks: [{ tool_name: "lookup", output: "{}" }] });
  assert.deepEqual(scenario?.tool_mocks, [
    { tool_name: "lookup", output: "{}", input_match_rule: { type: "any" }, result: true },
  ]);
});

test("parseScenarios() accepts a mock with an empty answer", () => {
  const [scenario] = parseScenarios({ name: "a", tool_mocks: [{ tool_name: "lookup" }] });
  assert.equal(scenario?.tool_mocks[0]?.output, null);
});

test("parseScenarios() rejects lists in place of objects", () => {
  const mock = { tool_name: "t", input_match_rule: { type: "partial_match", args: [] } };
  for (const keys of [
    { dynamic_variables: ["x"] },
    { extracts: [] },
    { calls: [{ tool: "t", args: [1] }] },
    { tool_mocks: [mock] },
  ])
    assert.throws(() => parseScenarios({ name: "a", ...keys }), { code: "invalid-scenario", hint: "Expected Object" });
});

test("parseScenarios() reports all problems at once", () => {
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
