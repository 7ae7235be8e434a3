import assert from "node:assert/strict";
import { test } from "node:test";
import { emitBlandScenarios, importBlandScenarios } from "../../../platforms/bland/mod.ts";
import { parseScenarios } from "../../../src/document/scenario/mod.ts";

const THEIRS = {
  id: "s-1",
  org_id: "o-1",
  name: "Angry caller",
  description: "De-escalation",
  category: "ANGRY_CALLER",
  scenario_type: "AGENT",
  tester_persona_prompt: "You are angry.",
  max_turns: 15,
  request_data: { customer: "Ada" },
  assertions: [
    {
      id: "a-1",
      type: "LLM_JUDGE",
      name: "Calm",
      config: { prompt: "The agent stays calm", output_type: "score", threshold: 0.9 },
      weight: 1.5,
    },
    { id: "a-2", type: "NODE_REACHED", config: { anything: "bye" } },
  ],
};

test("a scenario of Bland is read, and written back as it was", () => {
  const [scenario] = importBlandScenarios(JSON.stringify({ scenarios: [THEIRS] }));
  assert.deepEqual(
    {
      ...scenario,
      bland: undefined,
      metrics: scenario?.metrics.map(({ criterion, threshold }) => [criterion, threshold]),
    },
    {
      ...scenario,
      bland: undefined,
      name: "Angry caller",
      user_prompt: "You are angry.",
      max_turns: 15,
      dynamic_variables: { customer: "Ada" },
      metrics: [["The agent stays calm", 0.9]],
    },
  );
  assert.deepEqual(emitBlandScenarios(scenario ? [scenario] : []), { scenarios: [THEIRS], losses: [] });
});

test("an edit of an imported scenario changes its place alone", () => {
  const [scenario] = importBlandScenarios(THEIRS);
  assert.ok(scenario);
  const { scenarios } = emitBlandScenarios([
    { ...scenario, user_prompt: "You are sad.", metrics: [{ criterion: "The agent is kind" }] },
  ]);
  const [calm, node] = THEIRS.assertions;
  const config = { prompt: "The agent is kind", output_type: "score", threshold: 0.7 };
  assert.deepEqual(scenarios, [
    { ...THEIRS, tester_persona_prompt: "You are sad.", assertions: [{ ...calm, config }, node] },
  ]);
});

test("expectations become questions for the judge, and what Bland cannot check is named", () => {
  const [scenario] = parseScenarios([
    {
      name: "a",
      says: ["Hello."],
      includes: ["open"],
      calls: [{ tool: "book", args: { day: "Monday" } }],
      extracts: { day: "Monday" },
      ends: "agent_ended",
      visits: ["book"],
      tool_mocks: [{ tool_name: "book", output: "ok" }],
      max_turns: 60,
      answers_within_ms: 900,
      repeat: 3,
    },
  ]);
  assert.ok(scenario);
  const { scenarios, losses } = emitBlandScenarios([scenario], { pathwayId: "p-1" });
  assert.equal(scenarios[0]?.pathway_id, "p-1");
  assert.equal(scenarios[0]?.max_turns, 50);
  assert.match(scenarios[0]?.tester_persona_prompt ?? "", /1\. Hello\./);
  assert.deepEqual(
    scenarios[0]?.assertions.map(({ config }) => config.prompt),
    [
      'The agent says "open"',
      'The agent calls the tool book with at least {"day":"Monday"}',
      'At the end of the call, day is "Monday"',
      "The agent ends the call",
    ],
  );
  assert.deepEqual(
    losses.map(({ code, path }) => `${code} ${path.slice(1).join(".")}`),
    [
      ...["scripted-caller says", "expectation-as-metric includes.0", "expectation-as-metric calls.0"],
      ...["expectation-as-metric extracts.day", "expectation-as-metric ends", "path-expectation visits"],
      ...["mock tool_mocks.0", "latency-expectation answers_within_ms", "turn-limit max_turns", "run-setting repeat"],
    ],
  );
});

test("what is emitted is read back as the same persona and criteria", () => {
  const [scenario] = parseScenarios([
    {
      name: "a",
      user_prompt: "You call.",
      metrics: [{ criterion: "The agent is kind", threshold: 0.8 }],
      max_turns: 9,
    },
  ]);
  assert.ok(scenario);
  const { scenarios, losses } = emitBlandScenarios([scenario]);
  assert.deepEqual(losses, []);
  assert.deepEqual(importBlandScenarios(scenarios), [scenario]);
});
