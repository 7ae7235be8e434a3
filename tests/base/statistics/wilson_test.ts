import assert from "node:assert/strict";
import { test } from "node:test";
import { wilson } from "../../../api/statistics.ts";

/**
 * R. G. Newcombe, Two-sided confidence intervals for the single proportion: comparison of seven methods, Statistics in
 * Medicine 17 (1998), 857-872, table I, method 3 (score, without continuity correction).
 */
const PUBLISHED = [
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
] as const;

test("wilson() gives the intervals that Newcombe published in 1998", () => {
  for (const [passes, trials, low, high] of PUBLISHED) {
    const found = wilson(passes, trials);
    assert.deepEqual([found.low.toFixed(4), found.high.toFixed(4)], [low.toFixed(4), high.toFixed(4)]);
  }
});

test("wilson() widens with the confidence, and mirrors passes and fails", () => {
  assert.deepEqual(wilson(0, 0), { low: 0, high: 1 });
  assert.deepEqual([wilson(0, 7).low, wilson(7, 7).high], [0, 1]);
  // The formula with the quantiles 1.6448536, 2.5758293 and 6.1094102.
  const bounds = [0.9, 0.99, 0.999999999].map((confidence) => wilson(30, 40, confidence));
  assert.deepEqual(
    bounds.map(({ low, high }) => [low.toFixed(6), high.toFixed(6)]),
    [
      ["0.624027", "0.844296"],
      ["0.547275", "0.881588"],
      ["0.305181", "0.953468"],
    ],
  );
  for (const passes of [0, 1, 13, 40]) {
    const [one, other] = [wilson(passes, 40), wilson(40 - passes, 40)];
    assert.ok(Math.abs(one.low - (1 - other.high)) < 1e-12);
  }
});

test("wilson() refuses counts that no trials have", () => {
  for (const [passes, trials, confidence] of [
    [5, 4, 0.95],
    [-1, 4, 0.95],
    [0.5, 4, 0.95],
    [1, 4, 1],
  ] as const)
    assert.throws(() => wilson(passes, trials, confidence), { code: "invalid-option" });
});
