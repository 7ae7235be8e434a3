import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { Ajv } from "ajv";
import { emitElevenLabsTests, importElevenLabsTests } from "../../../api/platforms.ts";
import { scenario } from "../../../dsl/mod.ts";
import { isRecord } from "../../../src/base/values/mod.ts";

const booking = scenario("books")
  .persona("You want to see a doctor on Monday.")
  .variables({ name: "Ann" })
  .mock("find_slot", { output: { slot: "9:00" } })
  .judge("The agent is friendly")
  .includes("nine")
  .calls("find_slot", { day: "mon" })
  .visits("book")
  .ends("agent_ended");

test("a scenario is a simulation: the persona, conditions in words, variables and mocks", () => {
  const { tests, losses } = emitElevenLabsTests([booking]);
  assert.deepEqual(tests, [
    {
      type: "simulation",
      name: "books",
      simulation_scenario: "You want to see a doctor on Monday.",
      success_conditions: [
        "The agent is friendly",
        'The agent says "nine"',
        'The agent calls the tool find_slot with at least these arguments: {"day":"mon"}',
        "The agent ends the call",
      ],
      tool_mock_config: { mocking_strategy: "all", fallback_strategy: "raise_error" },
      dynamic_variables: { name: "Ann" },
    },
  ]);
  assert.deepEqual(
    losses.map(({ code, kind, path }) => [code, kind, path.join(".")]),
    [
      ["expectation-as-condition", "emulated", "0.includes.0"],
      ["expectation-as-condition", "emulated", "0.calls.0"],
      ["expectation-as-condition", "emulated", "0.ends"],
      ["path-expectation", "dropped", "0.visits"],
      ["tool-mock", "emulated", "0.tool_mocks.0"],
    ],
  );
});

/** Tests as the API returns them. */
const PUBLISHED = [
  {
    id: "test_1",
    type: "simulation",
    name: "late",
    simulation_scenario: "You are late.",
    success_conditions: ["The agent waits"],
    simulation_max_turns: 8,
    environment: null,
  },
  {
    ...{
      id: "test_2",
      type: "llm",
      name: "hours",
      success_condition: "It names the hours",
      success_examples: [{ type: "success", response: "9 to 5" }],
    },
    chat_history: [
      { role: "agent", message: "Hello", time_in_call_secs: 0 },
      { role: "user", message: "When are you open?", time_in_call_secs: 1 },
    ],
  },
  {
    ...{
      id: "test_3",
      type: "tool",
      name: "slot",
      chat_history: [{ role: "user", message: "Monday, please", time_in_call_secs: 0 }],
    },
    tool_call_parameters: {
      referenced_tool: { id: "tool_1", type: "webhook" },
      parameters: [
        { path: "day", eval: { type: "exact", expected_value: "mon" } },
        { path: "why", eval: { type: "llm", description: "A reason" } },
      ],
    },
  },
];

test("published tests are scenarios, and go back as they were", () => {
  const scenarios = importElevenLabsTests({ tests: PUBLISHED, has_more: false });
  assert.deepEqual(
    scenarios.map(({ name, user_prompt, says, metrics, calls, max_turns }) => [
      name,
      user_prompt,
      says,
      metrics.map(({ criterion }) => criterion),
      calls,
      max_turns ?? null,
    ]),
    [
      ["late", "You are late.", [], ["The agent waits"], [], 8],
      ["hours", "", ["When are you open?"], ["It names the hours"], [], null],
      ["slot", "", ["Monday, please"], [], [{ tool: "tool_1", args: { day: "mon" } }], null],
    ],
  );
  assert.deepEqual(emitElevenLabsTests(scenarios).tests, PUBLISHED);
});

test("a change of an imported scenario changes its test alone", () => {
  const [first, second] = importElevenLabsTests(PUBLISHED);
  assert.ok(first && second);
  const { tests } = emitElevenLabsTests([
    { ...first, user_prompt: "You are very late." },
    { ...second, metrics: [{ criterion: "It names all hours" }] },
  ]);
  assert.deepEqual(tests, [
    { ...PUBLISHED[0], simulation_scenario: "You are very late." },
    { ...PUBLISHED[1], success_condition: "It names all hours" },
  ]);
});

test("what is written is valid by the vendor's schema", (t) => {
  const file = new URL("../../../../shared/platforms/elevenlabs.openapi.json", import.meta.url);
  if (!existsSync(file)) return t.skip("needs ../shared with elevenlabs.openapi.json");
  const document: unknown = JSON.parse(readFileSync(file, "utf8"));
  const ajv = new Ajv({ strict: false, logger: false, validateFormats: false });
  ajv.addSchema({ ...(isRecord(document) ? document : {}), $id: "elevenlabs" });
  const validate = ajv.getSchema("elevenlabs#/components/schemas/CreateSimulationTestRequest");
  assert.ok(validate);
  for (const written of emitElevenLabsTests([booking]).tests)
    assert.ok(validate(written), JSON.stringify(validate.errors));
});
