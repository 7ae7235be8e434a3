import assert from "node:assert/strict";
import { test } from "node:test";
import { scenario } from "../../../mod.ts";
import { isScripted, parseScenarios, toScenario, toScenarios } from "../../../src/document/scenario/mod.ts";
import { briefScenario } from "../../../src/document/scenario/parse.ts";

/** A scenario with a value under every key. */
const FULL = {
  name: "full",
  type: "rule",
  user_prompt: "You are Jo.",
  says: ["Hello"],
  dynamic_variables: { city: "Oslo" },
  tool_mocks: [{ tool_name: "find", output: "late", input_match_rule: { type: "any" }, result: false }],
  metrics: [{ criterion: "is kind", threshold: 0.5 }],
  includes: ["late"],
  excludes: ["sorry"],
  patterns: ["REF-*"],
  visits: ["greet"],
  avoids: ["desk"],
  extracts: { city: "Bergen" },
  calls: [{ tool: "find", args: { id: 1 } }],
};

test("parseScenarios() keeps what a scenario says, and adds the defaults of what it does not say", () => {
  assert.deepEqual(parseScenarios([FULL]), [FULL]);
  assert.deepEqual(parseScenarios([{ name: "empty" }]), [
    {
      name: "empty",
      user_prompt: "",
      says: [],
      dynamic_variables: {},
      tool_mocks: [],
      metrics: [],
      includes: [],
      excludes: [],
      patterns: [],
      visits: [],
      avoids: [],
      extracts: {},
      calls: [],
    },
  ]);
  const [open] = parseScenarios({
    name: "open",
    metrics: ["is kind", { criterion: "is brief" }],
    calls: [{ tool: "find" }],
    tool_mocks: [{ tool_name: "find" }],
  });
  assert.deepEqual(open?.metrics, [{ criterion: "is kind" }, { criterion: "is brief" }]);
  assert.deepEqual(open?.calls, [{ tool: "find", args: {} }]);
  assert.deepEqual(open?.tool_mocks, [
    { tool_name: "find", output: null, input_match_rule: { type: "any" }, result: true },
  ]);
});

test("briefScenario() leaves out what has its default", () => {
  assert.deepEqual(briefScenario(toScenario({ name: "empty", says: [] })), { name: "empty" });
  assert.deepEqual(briefScenario(toScenario({ name: "short", says: ["Hi"], includes: [] })), {
    name: "short",
    says: ["Hi"],
  });
});

test("scenarios come as one, as a list, or in a document with a list", () => {
  const [a, b] = [{ name: "a" }, { name: "b" }];
  const names = (value: unknown) => parseScenarios(value).map(({ name }) => name);
  assert.deepEqual(names(a), ["a"]);
  assert.deepEqual(names([a, b]), ["a", "b"]);
  assert.deepEqual(names({ $schema: "https://example.test/scenarios.json", scenarios: [a, b] }), ["a", "b"]);
  assert.deepEqual(names([]), []);
  const problems: readonly (readonly [document: unknown, path: readonly (string | number)[]])[] = [
    [{ scenarios: a }, ["scenarios"]],
    [{ scenarios: [a], more: 1 }, ["more"]],
    [{ scenarios: [a, { name: "" }] }, ["scenarios", 1, "name"]],
    // with a name, it is a scenario, which has no key "scenarios"
    [{ name: "c", scenarios: [a] }, [0, "scenarios"]],
    ["a", [0]],
  ];
  for (const [document, path] of problems)
    assert.throws(() => names(document), { code: "invalid-scenario", path }, JSON.stringify(document));
});

test("messages name a scenario by its name, or by its place", () => {
  assert.throws(() => parseScenarios([{ name: "a", says: 7 }]), { message: /scenario "a", says: / });
  assert.throws(() => parseScenarios([{ name: 7 }]), { message: /scenario number 0, name: / });
  assert.throws(() => parseScenarios([7]), { message: /scenario number 0, itself: / });
});

test("toScenarios() reads what scenario() built, documents, and a single one of them", () => {
  const built = scenario("built").says("Hi").includes("hello");
  assert.deepEqual(
    toScenarios([built, { name: "b" }]).map(({ name, says }) => [name, says]),
    [
      ["built", ["Hi"]],
      ["b", []],
    ],
  );
  assert.equal(toScenario(built).name, "built");
  const alone: unknown = built;
  assert.deepEqual(toScenarios(alone as []), [toScenario(built)]); // as JavaScript may call it
  assert.throws(() => toScenarios(JSON.parse('"built"')), { code: "invalid-scenario" });
  // a key of this name is no method
  assert.throws(() => toScenario(JSON.parse('{ "name": "a", "toJSON": 1 }')), { path: [0, "toJSON"] });
});

test("toScenario() returns a complete document as it is", () => {
  const complete = toScenario({ name: "a" });
  assert.equal(toScenario(complete), complete);
});

test("a caller without a persona and with lines only says these lines", () => {
  const cases: readonly (readonly [says: readonly string[], persona: string, scripted: boolean])[] = [
    [["Hi"], "", true],
    [["Hi"], " \n", true],
    [["Hi"], "You are Jo.", false],
    [[], "", false],
    [[], "You are Jo.", false],
  ];
  for (const [says, user_prompt, scripted] of cases) assert.equal(isScripted({ says, user_prompt }), scripted);
});

test("a mock in short form is an answer if it only has keys of answers, else it is the output", () => {
  const mock = (answer: unknown) => parseScenarios({ name: "a", mock: { find: answer } })[0]?.tool_mocks[0];
  const any = { tool_name: "find", input_match_rule: { type: "any" }, result: true };
  assert.deepEqual(mock({ output: "late" }), { ...any, output: "late" });
  assert.deepEqual(mock({ fails: true }), { ...any, output: "", result: false });
  assert.deepEqual(mock({ sky: "grey" }), { ...any, output: { sky: "grey" } });
  assert.deepEqual(mock({ sky: "grey", output: "late" }), { ...any, output: { sky: "grey", output: "late" } });
  assert.deepEqual(mock({}), { ...any, output: {} });
  assert.deepEqual(mock("late"), { ...any, output: "late" });
  assert.deepEqual(mock({ args: { id: 1 }, output: "late" }), {
    ...{ tool_name: "find", output: "late", result: true },
    input_match_rule: { type: "partial_match", args: { id: 1 } },
  });
});
