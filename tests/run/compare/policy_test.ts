import assert from "node:assert/strict";
import { test } from "node:test";
import { compareRuns, formatComparison, judgeComparison } from "../../../api/statistics.ts";
import { runOf, trials } from "./_runs.ts";

const high = runOf("1", trials("books", 36, 4));
const low = runOf("2", trials("books", 24, 16));
const none = runOf("3", [{ scenario: "books", status: "error" }]);
const more = runOf("4", [...trials("books", 36, 4), ...trials("asks", 1, 0)]);

test("judgeComparison() fails by its policy, and does not pass what cannot be compared", () => {
  const outcomes = (from: typeof high, to: typeof high) =>
    (["worse", "changed", "never"] as const).map((policy) => judgeComparison(compareRuns(from, to), policy));
  assert.deepEqual(outcomes(high, low), ["fail", "fail", "pass"]);
  assert.deepEqual(outcomes(low, high), ["pass", "fail", "pass"]);
  assert.deepEqual(outcomes(high, high), ["pass", "pass", "pass"]);
  assert.deepEqual(outcomes(high, none), ["unknown", "unknown", "pass"]);
  assert.deepEqual(outcomes(high, more), ["pass", "fail", "pass"]);
  assert.deepEqual(outcomes(more, high), ["pass", "fail", "pass"]);
});

test("formatComparison() shows changed scenarios first, with the interval of the difference", () => {
  const base = runOf("1", [...trials("asks", 9, 1), ...trials("books", 36, 4)]);
  const head = runOf("2", [...trials("asks", 9, 1), ...trials("books", 24, 16), ...trials("new", 1, 0)]);
  const text = formatComparison(
    compareRuns(base, head),
    { color: false, width: 160 },
    { detailsOf: (name) => (name === "books" ? "a call\n" : undefined) },
  );
  assert.equal(
    text,
    [
      "base  1 of clinic: 45 pass, 5 fail",
      "head  2 of clinic: 34 pass, 17 fail",
      "",
      "▼ books: the pass rate fell from 36/40 to 24/40: more than noise (p = 0.0038, corrected for 2 scenarios); difference -30 points (95 %: -47 to -11)",
      "",
      "  a call",
      "",
      "· asks: the pass rate is the same: 9/10",
      "+ only in the head: new",
      "",
      "1 scenario got worse, 2 scenarios compared, 1 scenario only in the head",
      "",
    ].join("\n"),
  );
});
