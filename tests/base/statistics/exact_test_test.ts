import assert from "node:assert/strict";
import { test } from "node:test";
import { differenceInterval, exactTest } from "../../../api/statistics.ts";

test("exactTest() gives published p-values of Fisher's exact test", () => {
  const p = (a: number, n: number, b: number, m: number) =>
    exactTest({ passes: a, trials: n }, { passes: b, trials: m }).toFixed(4);
  // A. Agresti, Categorical Data Analysis (2002), table 3.8: Fisher's tea taster, 0.4857.
  assert.equal(p(3, 4, 1, 4), "0.4857");
  // The manual of R, ?fisher.test: Convictions (twins), two-sided 0.0005367.
  assert.equal(exactTest({ passes: 2, trials: 17 }, { passes: 10, trials: 13 }).toExponential(3), "5.367e-4");
  assert.deepEqual(
    [p(36, 40, 24, 40), p(0, 5, 0, 9), p(7, 7, 0, 7), p(5, 10, 5, 10)],
    ["0.0038", "1.0000", "0.0006", "1.0000"],
  );
});

test("exactTest() does not depend on the order of the runs, nor on which outcome is a pass", () => {
  for (const [a, n, b, m] of [
    [3, 9, 11, 14],
    [0, 3, 8, 50],
    [400, 1000, 460, 1000],
  ] as const) {
    const one = exactTest({ passes: a, trials: n }, { passes: b, trials: m });
    const others = [
      exactTest({ passes: b, trials: m }, { passes: a, trials: n }),
      exactTest({ passes: n - a, trials: n }, { passes: m - b, trials: m }),
    ];
    for (const other of others) assert.ok(Math.abs(one - other) < 1e-9);
  }
  assert.throws(() => exactTest({ passes: 1, trials: 0 }, { passes: 1, trials: 2 }), { code: "invalid-option" });
});

/**
 * R. G. Newcombe, Interval estimation for the difference between independent proportions, Statistics in Medicine 17
 * (1998), 873-890, table II, method 10.
 */
const PUBLISHED = [
  [56, 70, 48, 80, 0.0524, 0.3339],
  [9, 10, 3, 10, 0.1705, 0.809],
  [6, 7, 2, 7, 0.0582, 0.8062],
  [5, 56, 0, 29, -0.0381, 0.1926],
  [0, 10, 0, 20, -0.1611, 0.2775],
  [10, 10, 0, 10, 0.6075, 1],
] as const;

test("differenceInterval() gives the intervals that Newcombe published in 1998", () => {
  for (const [a, n, b, m, low, high] of PUBLISHED) {
    const found = differenceInterval({ passes: b, trials: m }, { passes: a, trials: n });
    assert.deepEqual([found.low.toFixed(4), found.high.toFixed(4)], [low.toFixed(4), high.toFixed(4)]);
  }
});
