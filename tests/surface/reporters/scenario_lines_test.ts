import assert from "node:assert/strict";
import { test } from "node:test";
import { PLAIN } from "../../../src/base/values/mod.ts";
import { type ScenarioSummary, summarise } from "../../../src/run/summary/mod.ts";
import { formatPassHat, scenarioLines, verdictParts } from "../../../src/surface/reporters/scenarios.ts";

type Statuses = readonly ("pass" | "fail" | "error" | "cancelled" | "invalid")[];

/** The summary of a scenario whose calls ended like this. */
function summaryOf(
  name: string,
  planned: number,
  statuses: Statuses,
  gate: ScenarioSummary["gate"] = { passAll: true },
) {
  return summarise(
    [{ scenario: name, planned, gate }],
    statuses.map((status) => ({ scenario: name, status })),
  );
}

const linesOf = (...summaries: readonly (readonly ScenarioSummary[])[]) => scenarioLines(summaries.flat(), PLAIN);
const times = (count: number, status: Statuses[number]) => Array.from({ length: count }, () => status);

test("scenarioLines() aligns names and numbers", () => {
  assert.deepEqual(linesOf(summaryOf("orders", 10, times(10, "pass")), summaryOf("a", 2, ["pass", "fail"])), [
    "  ✓ orders  10/10  100 % (72 to 100 %)",
    "  ✗ a        1/2   50 % (9 to 91 %)",
  ]);
});

test("scenarioLines() says what a gate needs, unless all trials have to pass", () => {
  const [line] = linesOf(summaryOf("orders", 4, times(4, "pass"), { minPassRate: 0.5 }));
  assert.equal(line, "  ✓ orders  4/4  100 % (51 to 100 %)  needs 2 of 4");
});

test("scenarioLines() counts calls without a result", () => {
  const [line] = linesOf(summaryOf("orders", 4, ["pass", "error", "error", "cancelled", "invalid"]));
  assert.equal(line, "  ? orders  1/1  100 % (21 to 100 %)  2 errors, 1 cancelled, 1 invalid");
});

test("scenarioLines() says that a verdict needed fewer calls than were planned", () => {
  const [line] = linesOf(summaryOf("orders", 5, ["pass", "fail"]));
  assert.equal(line, "  ✗ orders  1/2  50 % (9 to 91 %)  decided after 2 of 5");
});

test("scenarioLines() does not call a verdict early where calls failed with an error", () => {
  const [line] = linesOf(summaryOf("orders", 5, ["fail", "error"]));
  assert.equal(line, "  ✗ orders  0/1  0 % (0 to 79 %)  1 error");
});

test("scenarioLines() shows a scenario without a result", () => {
  assert.deepEqual(linesOf(summaryOf("orders", 2, [])), ["  ? orders  0/0  no result"]);
});

test("verdictParts() counts each verdict that there is", () => {
  const all = [summaryOf("a", 1, ["pass"]), summaryOf("b", 1, ["fail"]), summaryOf("c", 1, ["pass"])].flat();
  assert.deepEqual(verdictParts(all), [
    { text: "2 passed", color: "green" },
    { text: "1 failed", color: "red" },
  ]);
});

test("formatPassHat() shows one, two, half of and all trials in order, as means over the scenarios", () => {
  const half = summaryOf("a", 6, [...times(3, "pass"), ...times(3, "fail")]);
  const whole = summaryOf("b", 6, times(6, "pass"));
  assert.equal(formatPassHat(whole), "pass^1 100 %, pass^2 100 %, pass^3 100 %, pass^6 100 %");
  assert.equal(formatPassHat([...half, ...whole]), "pass^1 75 %, pass^2 60 %, pass^3 53 %, pass^6 50 %");
  assert.equal(formatPassHat(summaryOf("c", 1, ["pass"])), undefined);
  assert.equal(formatPassHat(summaryOf("d", 2, times(2, "pass"))), "pass^1 100 %, pass^2 100 %");
});
