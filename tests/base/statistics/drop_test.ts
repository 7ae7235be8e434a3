import assert from "node:assert/strict";
import { test } from "node:test";
import { holm, testDrop } from "../../../src/base/statistics/mod.ts";
import { sampled } from "../../fast_check.ts";
import { seeded } from "./_random.ts";

const OPTIONS = { from: 80, minimum: 10, shuffles: 1_999, seed: "a" };

/** A series that passes every time, and from a place on every second time. */
function fallingAt(place: number, total = 120): readonly boolean[] {
  return Array.from({ length: total }, (_, index) => index < place || index % 2 === 0);
}

test("testDrop() finds the place of a drop, with the same p-value each time", () => {
  const found = testDrop(fallingAt(95), OPTIONS);
  assert.deepEqual(found, testDrop(fallingAt(95), OPTIONS));
  assert.ok(found.p <= 0.001, `${found.p}`);
  assert.equal(found.at, 95);
});

test("testDrop() ignores a drop before `from`, and a rate that rises", () => {
  const early = Array.from({ length: 120 }, (_, index) => index < 30 || index > 70);
  assert.ok(testDrop(early, OPTIONS).p > 0.5);
  assert.deepEqual(testDrop(fallingAt(95).toReversed(), OPTIONS), { p: 1, at: null });
});

test("testDrop() finds nothing where all outcomes are equal or too few", () => {
  assert.deepEqual(testDrop(fallingAt(120), OPTIONS), { p: 1, at: null });
  assert.deepEqual(testDrop([true, false], OPTIONS), { p: 1, at: null });
  assert.deepEqual(testDrop([], OPTIONS), { p: 1, at: null });
});

test("testDrop() gives a p-value of at most 0.05 to about 5 % of series without a change", () => {
  const random = seeded(3);
  const count = sampled(1000);
  let small = 0;
  for (let round = 0; round < count; round += 1) {
    const series = Array.from({ length: 120 }, () => random() < 0.8);
    if (testDrop(series, { ...OPTIONS, shuffles: 399, seed: String(round) }).p <= 0.05) small += 1;
  }
  assert.ok(small / count <= (count === 1000 ? 0.065 : 0.1), `${small} of ${count}`);
});

test("holm() multiplies the smallest p-value by the number of tests, and keeps the order", () => {
  assert.deepEqual(holm([0.03, 0.01, 0.02]), [0.04, 0.03, 0.04]);
  assert.deepEqual(holm([0.9, 0.6]), [1, 1]);
  assert.deepEqual(holm([]), []);
});
