import assert from "node:assert/strict";
import { test } from "node:test";
import { emitVapiTests } from "../../../../api/platforms.ts";
import type { ScenarioInput } from "../../../../src/document/scenario/mod.ts";
import { openapiFaults } from "../shared/openapi.ts";

function written(...scenarios: readonly ScenarioInput[]) {
  return emitVapiTests(scenarios);
}

const BOOKING: ScenarioInput = {
  name: "books a visit",
  user_prompt: "You are Ada. You want a visit on Monday.",
  dynamic_variables: { caller: "Ada" },
  tool_mocks: [
    {
      tool_name: "find",
      input_match_rule: { type: "partial_match", args: { day: "Monday" } },
      output: { free: true },
      result: true,
    },
    { tool_name: "find", output: "none", result: true },
    { tool_name: "pay", output: "declined", result: false },
  ],
  metrics: ["The agent is polite", { criterion: "A visit is booked", threshold: 0.9 }],
  includes: ["Monday (9 a.m.)"],
  excludes: ["sorry"],
  visits: ["booking"],
  ends: "agent_ended",
  extracts: { day: "Monday" },
  max_turns: 8,
  answers_within_ms: 1_500,
};

const SCRIPT: ScenarioInput = {
  ...BOOKING,
  name: "scripted",
  says: ["Hello", "A visit, please"],
  patterns: ["^Bye"],
  calls: [{ tool: "find", args: {} }],
};

test("emitVapiTests() writes a persona as a simulation", () => {
  const { simulations, evals } = written(BOOKING);
  assert.deepEqual(evals, []);
  const [simulation] = simulations;
  assert.equal(simulation?.scenario?.instructions, BOOKING.user_prompt);
  assert.deepEqual(simulation?.scenario?.targetOverrides, { variableValues: { caller: "Ada" } });
  assert.deepEqual(simulation?.scenario?.toolMocks, [
    { toolName: "find", result: '{"free":true}', enabled: true },
    { toolName: "pay", result: "Error: declined", enabled: true },
  ]);
  const model = simulation?.personality?.assistant.model;
  assert.match(JSON.stringify(model), /You are Ada\. You want a visit on Monday\./);
});

test("emitVapiTests() writes criteria and texts as evaluations with an expected value", () => {
  const evaluations = written(BOOKING).simulations[0]?.scenario?.evaluations ?? [];
  assert.deepEqual(
    evaluations.map(({ structuredOutput, comparator, value }) => [structuredOutput?.name, comparator, value]),
    [
      ["criterion_1", "=", true],
      ["criterion_2", "=", true],
      ["says_1", "=", true],
      ["never_says_1", "=", false],
      ["variable_1", "=", "Monday"],
    ],
  );
  const regex = evaluations[2]?.structuredOutput?.regex ?? "";
  const [, pattern = "", flags] = /^\/(.*)\/(\w*)$/.exec(regex) ?? [];
  assert.match("User: hi\nAI: Is monday (9 A.M.) fine?", new RegExp(pattern, flags));
  assert.doesNotMatch("AI: hi\nUser: Monday (9 a.m.)", new RegExp(pattern, flags));
});

test("emitVapiTests() writes scripted lines as an eval with one judge at the end", () => {
  const { simulations, evals } = written(SCRIPT);
  assert.deepEqual(simulations, []);
  const messages = evals[0]?.eval.messages ?? [];
  assert.deepEqual(
    messages.map((message) => [message.role, "judgePlan" in message ? message.judgePlan.type : message.content]),
    [
      ["user", "Hello"],
      ["assistant", "regex"],
      ["user", "A visit, please"],
      ["assistant", "ai"],
    ],
  );
  assert.match(JSON.stringify(messages[3]), /The agent is polite.*Monday \(9 a\.m\.\).*\^Bye.*calls find/);
  assert.deepEqual(evals[0]?.assistantOverrides, { variableValues: { caller: "Ada" } });
});

test("emitVapiTests() reports the losses of each scenario", () => {
  const lost = (scenario: ScenarioInput) => written(scenario).losses.map(({ code, path }) => [code, path.join(".")]);
  assert.deepEqual(lost(BOOKING), [
    ["path-expectation", "books a visit.visits"],
    ["end-expectation", "books a visit.ends"],
    ["latency-expectation", "books a visit.answers_within_ms"],
    ["turn-limit", "books a visit.max_turns"],
    ["metric-threshold", "books a visit.metrics"],
    ["mock-arguments", "books a visit.tool_mocks"],
    ["mock-arguments", "books a visit.tool_mocks"],
    ["mock-failure", "books a visit.tool_mocks"],
    ["variable-judged", "books a visit.extracts"],
  ]);
  const scripted = lost(SCRIPT).map(([code]) => code);
  assert.ok(scripted.includes("tool-mock") && scripted.includes("variable-expectation"));
  assert.deepEqual(lost({ name: "plain", user_prompt: "Ask.", metrics: ["Helpful"] }), []);
});

test("emitVapiTests() truncates texts to Vapi's limits and reports it", () => {
  const { simulations, losses } = written({ name: "n".repeat(90), user_prompt: "x".repeat(10_001) });
  assert.equal(simulations[0]?.scenario?.name.length, 80);
  assert.equal(simulations[0]?.scenario?.instructions.length, 10_000);
  assert.deepEqual(
    losses.map(({ code }) => code),
    ["text-clipped", "text-clipped"],
  );
});

test("emitVapiTests() writes documents that Vapi's schemas accept", { timeout: 120_000 }, (t) => {
  const evaluationFaults = openapiFaults("EvaluationPlanItem");
  const mockFaults = openapiFaults("ScenarioToolMock");
  const evalFaults = openapiFaults("CreateEvalDTO");
  if (!evaluationFaults || !mockFaults || !evalFaults) return t.skip("Vapi's document is not beside the repository");
  const { simulations, evals } = written(BOOKING, SCRIPT);
  const scenario = simulations[0]?.scenario;
  assert.deepEqual(scenario?.evaluations.flatMap(evaluationFaults), []);
  assert.deepEqual(scenario?.toolMocks?.flatMap(mockFaults), []);
  assert.deepEqual(evalFaults(evals[0]?.eval), []);
});
