import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { scenario } from "../../../../mod.ts";
import { emitTestCases, importTestCases, type RetellTestCase } from "../../../../platforms/retell/test_cases.ts";
import { completeScenario, type ScenarioInput } from "../../../../src/document/scenario/mod.ts";
import { fc } from "../../../properties.ts";

const CASE = {
  name: "Books a table",
  user_prompt: "You are Ann and want a table for two.",
  metrics: ["The agent confirms the table", "The agent is polite"],
  dynamic_variables: { restaurant: "Luna" },
  tool_mocks: [
    { tool_name: "book", input_match_rule: { type: "any" }, output: '{"ok":true}' },
    {
      tool_name: "transfer",
      input_match_rule: { type: "partial_match", args: { to: "desk" } },
      output: "",
      result: false,
    },
    { tool_name: "find", input_match_rule: { type: "any" }, output: "{}", result: null },
  ],
  type: "simulation",
  llm_model: "gpt-4.1-mini",
} as const;

const emitOne = (input: ScenarioInput) => emitTestCases([completeScenario(input)]);
const codes = (input: ScenarioInput) => emitOne(input).losses.map(({ code, kind }) => `${code} ${kind}`);

test("emitTestCases() returns imported test cases unchanged", () => {
  const { cases, losses } = emitTestCases(importTestCases([CASE]));
  assert.deepEqual(cases, [CASE]);
  assert.deepEqual(losses, []);
});

test("importTestCases() reads a definition of the API and keeps unknown keys", () => {
  const definition = {
    ...CASE,
    test_case_definition_id: "case_1",
    creation_timestamp: 1,
    response_engine: { type: "retell-llm", llm_id: "llm_1", version: 3 },
    says_hello: true,
  };
  const [scenario] = importTestCases(definition);
  assert.deepEqual(scenario?.metrics[0], { criterion: "The agent confirms the table" });
  assert.deepEqual(emitTestCases(scenario ? [scenario] : []).cases, [definition]);
});

test("importTestCases() reads a page of a list of definitions", () => {
  assert.equal(importTestCases({ items: [CASE], has_more: false })[0]?.name, "Books a table");
});

test("emitTestCases() does not add keys that an imported case lacks", () => {
  const bare = { name: "Bare", user_prompt: "Hi", metrics: [] };
  assert.deepEqual(emitTestCases(importTestCases([bare])).cases, [bare]);
});

test("emitTestCases() keeps null until the value is edited", () => {
  const definition = { ...CASE, dynamic_variables: null, tool_mocks: null, llm_model: null };
  const [scenario] = importTestCases([definition]);
  assert.ok(scenario);
  assert.deepEqual(emitTestCases([scenario]).cases, [definition]);
  const [edited] = emitTestCases([{ ...scenario, dynamic_variables: { a: "b" }, llm_model: "gpt-5" }]).cases;
  assert.deepEqual(edited, { ...definition, dynamic_variables: { a: "b" }, llm_model: "gpt-5" });
});

test("importTestCases() reads text, also with a byte order mark", () => {
  assert.deepEqual(emitTestCases(importTestCases(`\uFEFF${JSON.stringify([CASE])}`)).cases, [CASE]);
  assert.throws(() => importTestCases("[{"), { code: "invalid-json" });
});

test("emitTestCases() omits settings of mocks that Retell does not support", () => {
  const { cases } = emitOne({ name: "A", user_prompt: "Hi", tool_mocks: [{ tool_name: "t", output: "", times: 1 }] });
  const expected = { tool_name: "t", input_match_rule: { type: "any" }, output: "", result: true };
  assert.deepEqual(cases[0]?.tool_mocks, [expected]);
});

test("emitTestCases() accepts scenario builders", () => {
  const built = scenario("Books").persona("You are Ann.").judge("The agent is polite").mock("book", { ok: true });
  const { cases, losses } = emitTestCases([built]);
  assert.deepEqual(losses, []);
  assert.deepEqual(
    cases.map(({ name, metrics, tool_mocks: mocks }) => [name, metrics, mocks?.[0]?.output]),
    [["Books", ["The agent is polite"], '{"ok":true}']],
  );
});

test("importTestCases() reads expectations besides metrics in other tools' files", () => {
  const [scenario] = importTestCases([{ name: "A", user_prompt: "Hi", type: "unit", includes: ["open"] }]);
  assert.deepEqual([scenario?.type, scenario?.includes], ["rule", ["open"]]);
});

test("importTestCases() reports every item that is not a test case", () => {
  assert.throws(() => importTestCases([{ user_prompt: "Hi" }, 3]), { code: "invalid-scenario" });
});

test("emitTestCases() with an engine returns bodies of the API for new cases", () => {
  const engine = { type: "retell-llm", llm_id: "llm_1" } as const;
  const { cases } = emitTestCases([completeScenario({ name: "A", user_prompt: "Hi" })], { engine });
  const expected = { name: "A", user_prompt: "Hi", metrics: [], dynamic_variables: {}, tool_mocks: [] };
  assert.deepEqual(cases, [{ ...expected, response_engine: engine }]);
});

test("emitTestCases() writes outputs, variables and models in Retell's form", () => {
  const { cases, losses } = emitOne({
    name: "A",
    user_prompt: "Hi",
    dynamic_variables: { age: 42 },
    tool_mocks: [{ tool_name: "t", output: { ok: true } }],
    llm_model: "openai/gpt-4.1",
  });
  assert.deepEqual(cases[0]?.dynamic_variables, { age: "42" });
  assert.equal(cases[0]?.tool_mocks?.[0]?.output, '{"ok":true}');
  assert.equal(cases[0]?.llm_model, "gpt-4.1");
  assert.deepEqual(
    losses.map(({ code, path }) => [code, path]),
    [["variable-as-text", [0, "dynamic_variables", "age"]]],
  );
});

test("emitTestCases() writes expectations as metrics, and reports it", () => {
  const input = { name: "A", user_prompt: "Hi", includes: ["open"], excludes: ["price"], ends: "agent_ended" } as const;
  const { cases } = emitOne({
    ...input,
    includes: ["open"],
    excludes: ["price"],
    calls: [{ tool: "t", args: { a: 1 } }],
  });
  assert.deepEqual(cases[0]?.metrics, [
    'The agent says "open"',
    'The agent never says "price"',
    'The agent calls the tool t with at least these arguments: {"a":1}',
    "The agent ends the call",
  ]);
  assert.deepEqual(
    new Set(codes({ ...input, includes: ["open"], excludes: ["price"] })),
    new Set(["expectation-as-metric emulated"]),
  );
});

for (const [input, expected] of [
  [{ metrics: [{ criterion: "Polite", threshold: 0.9 }] }, "metric-threshold dropped"],
  [{ says: ["Hello", "Bye"] }, "scripted-caller emulated"],
  [{ user_prompt: "" }, "no-caller emulated"],
  [{ visits: ["greet"] }, "path-expectation dropped"],
  [{ avoids: ["greet"] }, "path-expectation dropped"],
  [{ ends: "hop_limit" }, "end-expectation dropped"],
  [{ max_turns: 3 }, "turn-limit dropped"],
  [{ answers_within_ms: 1_500 }, "latency-expectation dropped"],
  [{ extracts: { age: 3 } }, "expectation-as-metric emulated"],
  [{ tool_mocks: [{ tool_name: "t", output: "", delay_ms: 5 }] }, "mock-limit dropped"],
  [{ tool_mocks: [{ tool_name: "t", output: "", times: 1 }] }, "mock-limit dropped"],
] as const satisfies readonly (readonly [object, string])[])
  test(`emitTestCases() lists ${JSON.stringify(input)} as ${expected}`, () => {
    assert.deepEqual(codes(JSON.parse(JSON.stringify({ name: "A", user_prompt: "Hi", ...input }))), [expected]);
  });

test("any test case is unchanged after importing and emitting", () => {
  const text = fc.string({ minLength: 1 });
  const rule = fc.oneof(
    fc.constant({ type: "any" }),
    fc.dictionary(text, fc.jsonValue(), { noNullPrototype: true }).map((args) => ({ type: "partial_match", args })),
  );
  const mock = fc.record(
    {
      tool_name: text,
      input_match_rule: rule,
      output: fc.string(),
      result: fc.option(fc.boolean()),
      extra: fc.jsonValue(),
    },
    { requiredKeys: ["tool_name", "input_match_rule", "output"], noNullPrototype: true },
  );
  const testCase = fc.record(
    {
      name: text,
      user_prompt: text,
      metrics: fc.array(text.filter((criterion) => criterion.trim() !== "")), // a blank one is rejected
      dynamic_variables: fc.dictionary(text, fc.string(), { noNullPrototype: true }),
      tool_mocks: fc.array(mock),
      type: fc.constant("simulation"),
      llm_model: fc.constantFrom("gpt-4.1", "a-new-one"),
      response_engine: fc.constant({ type: "conversation-flow", conversation_flow_id: "c" }),
      unknown: fc.jsonValue(),
    },
    { requiredKeys: ["name", "user_prompt", "metrics"], noNullPrototype: true },
  );
  const cases = fc.uniqueArray(testCase, { selector: ({ name }) => name });
  fc.assert(
    fc.property(cases, (list) => {
      const saved: unknown = JSON.parse(JSON.stringify(list));
      assert.deepEqual(JSON.parse(JSON.stringify(emitTestCases(importTestCases(saved)).cases)), saved);
    }),
    { numRuns: 150 },
  );
});

const SAMPLE = new URL("../../../../../shared/corpus/voicetest/retell/sample_tests.json", import.meta.url);

test("emitTestCases() returns a third-party file of test cases unchanged", (t) => {
  if (!existsSync(SAMPLE)) return t.skip("shared/corpus is not here");
  const document: RetellTestCase[] = JSON.parse(readFileSync(SAMPLE, "utf8"));
  // the file's "unit" tests are from another tool, which Retell does not support
  const own = document.filter(({ type }) => type === "simulation");
  const { cases, losses } = emitTestCases(importTestCases(own));
  assert.ok(own.length > 0);
  assert.deepEqual(cases, own);
  assert.deepEqual(losses, []);
});
