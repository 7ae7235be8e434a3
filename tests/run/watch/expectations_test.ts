import assert from "node:assert/strict";
import { test } from "node:test";
import { type ScenarioSource, toScenarios } from "../../../src/document/scenario/mod.ts";
import { expectationsOf } from "../../../src/run/watch/expectations.ts";

const POLITE = "The agent is polite";

const BOOKING = {
  name: "books a cleaning",
  user_prompt: "You want to book a cleaning at the dentist.",
  metrics: [POLITE, "The agent confirms the date"],
  answers_within_ms: 1_500,
  includes: ["Tuesday"],
};
const ORDER = {
  name: "order",
  user_prompt: "You ask where your parcel is.",
  metrics: [POLITE],
  answers_within_ms: 900,
};

function said(content: string) {
  return [{ role: "user" as const, content, node_id: "", timestamp: "", metadata: {} }];
}

function expect(sources: readonly ScenarioSource[], hasMore = false, answersWithinMs?: number) {
  const { scenarios, nameFor } = expectationsOf(toScenarios(sources), { hasMore, answersWithinMs });
  return (words: string) => {
    const name = nameFor(said(words));
    const found = scenarios.find((each) => each.name === name);
    return found && [found.name, found.metrics.map(({ criterion }) => criterion), found.answers_within_ms ?? null];
  };
}

test("a call is judged by the criteria of the scenario whose caller wants the same, and by those of all", () => {
  const judge = expect([BOOKING, ORDER]);
  assert.deepEqual(judge("Hi, I would like to book a cleaning please"), [
    "books a cleaning",
    [POLITE, "The agent confirms the date"],
    1_500,
  ]);
  assert.deepEqual(judge("Where is my parcel?"), ["order", [POLITE], 900]);
  assert.deepEqual(judge("Do you sell lamps?"), ["other calls", [POLITE], null]);
});

test("the rest of a scenario, which is about its own caller, is not expected of real calls", () => {
  const { scenarios } = expectationsOf(toScenarios([BOOKING]), { hasMore: false, answersWithinMs: undefined });
  assert.deepEqual(
    scenarios.map(({ includes, user_prompt }) => [includes, user_prompt]),
    [
      [[], ""],
      [[], ""],
    ],
  );
});

test("calls that nothing applies to have no name, unless there are policies or criteria for every call", () => {
  const own = [
    { ...BOOKING, answers_within_ms: 1_500 },
    { name: "order", user_prompt: "parcel", metrics: ["Helps"] },
  ];
  assert.equal(expect(own)("Do you sell lamps?"), undefined);
  assert.deepEqual(expect(own, true)("Do you sell lamps?"), ["other calls", [], null]);
  assert.deepEqual(expect([], false, 2_000)("Do you sell lamps?"), ["other calls", [], 2_000]);
});

test("the limit of a latency is the shorter one of the call's scenario and of every call", () => {
  assert.deepEqual(expect([BOOKING, ORDER], false, 1_000)("book a cleaning")?.[2], 1_000);
  assert.deepEqual(expect([BOOKING, ORDER], false, 1_000)("Where is my parcel?")?.[2], 900);
});
