import assert from "node:assert/strict";
import { test } from "node:test";
import { emitTelnyxTests, importTelnyxTests } from "../../../../api/platforms.ts";
import * as fc from "../../../fast_check.ts";

/** A test as the API returns it. */
const STORED = {
  test_id: "test-1",
  name: "Late order",
  description: null,
  destination: "+12025550142",
  instructions: "You want to know where your order 7 is.",
  max_duration_seconds: 120,
  telnyx_conversation_channel: "phone_call",
  rubric: [
    { name: "Polite", criteria: "The agent is polite" },
    { name: "Found", criteria: "The agent says where the order is" },
  ],
};

test("tests are imported as scenarios, and come back as they were", () => {
  const scenarios = importTelnyxTests({ data: [STORED] });
  assert.deepEqual(
    scenarios.map(({ name, user_prompt: prompt, metrics }) => [
      name,
      prompt,
      metrics.map(({ criterion }) => criterion),
    ]),
    [[STORED.name, STORED.instructions, STORED.rubric.map(({ criteria }) => criteria)]],
  );
  assert.deepEqual(emitTelnyxTests(scenarios), { tests: [STORED], losses: [] });
  assert.deepEqual(emitTelnyxTests(scenarios, { destination: "assistant-2" }).tests[0]?.destination, "assistant-2");
});

test("an edited scenario changes its own part of an imported test", () => {
  const [scenario] = importTelnyxTests(STORED);
  assert.ok(scenario);
  const metrics = [...scenario.metrics, { criterion: "The agent says goodbye" }];
  const { tests } = emitTelnyxTests([{ ...scenario, user_prompt: "New.", metrics }]);
  const more = { name: "criterion 3", criteria: "The agent says goodbye" };
  assert.deepEqual(tests, [{ ...STORED, instructions: "New.", rubric: [...STORED.rubric, more] }]);
});

test("expectations become criteria, and what tests do not support is a loss", () => {
  const scenario = {
    name: "Order",
    says: ["Hello", "Order 7"],
    includes: ["Berlin"],
    calls: [{ tool: "find_order", args: { number: "7" } }],
    visits: ["greet"],
    tool_mocks: [{ tool_name: "find_order", output: {} }],
    ends: "agent_ended" as const,
    max_turns: 5,
  };
  const { tests, losses } = emitTelnyxTests([scenario]);
  assert.deepEqual(
    tests[0]?.rubric.map(({ criteria }) => criteria),
    [
      'The agent says "Berlin"',
      'The agent calls the tool find_order with at least these arguments: {"number":"7"}',
      "The agent ends the call",
    ],
  );
  assert.match(tests[0]?.instructions ?? "", /1\. Hello\n2\. Order 7$/);
  assert.deepEqual(losses.map(({ code, path }) => `${code} ${path.join(".")}`).sort(), [
    "expectation-as-criterion 0.calls.0",
    "expectation-as-criterion 0.ends",
    "expectation-as-criterion 0.includes.0",
    "scripted-caller 0.says",
    "test-part 0.max_turns",
    "test-part 0.tool_mocks",
    "test-part 0.visits",
  ]);
});

test("scenarios with a persona and metrics read back as they were", () => {
  const text = fc.string({ minLength: 1 }).filter((each) => each.trim() !== "");
  const scenarios = fc.uniqueArray(fc.record({ name: text, user_prompt: text, criteria: fc.array(text) }), {
    selector: ({ name }) => name,
  });
  fc.assert(
    fc.property(scenarios, (list) => {
      const given = list.map(({ criteria, ...each }) => ({
        ...each,
        metrics: criteria.map((criterion) => ({ criterion })),
      }));
      const { tests, losses } = emitTelnyxTests(given);
      assert.deepEqual(losses, []);
      const back = importTelnyxTests(JSON.stringify(tests));
      assert.deepEqual(
        back.map(({ name, user_prompt, metrics }) => ({ name, user_prompt, metrics })),
        given,
      );
    }),
  );
});
