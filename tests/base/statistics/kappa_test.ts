import assert from "node:assert/strict";
import { test } from "node:test";
import { cohenKappa, type VerdictPair } from "../../../api/statistics.ts";

const pairs = (passPass: number, passFail: number, failPass: number, failFail: number): readonly VerdictPair[] => [
  ...Array.from({ length: passPass }, (): VerdictPair => [true, true]),
  ...Array.from({ length: passFail }, (): VerdictPair => [true, false]),
  ...Array.from({ length: failPass }, (): VerdictPair => [false, true]),
  ...Array.from({ length: failFail }, (): VerdictPair => [false, false]),
];

test("cohenKappa() gives published values", () => {
  // Wikipedia, Cohen's kappa: 50 grant proposals 0.4; equal agreement with other margins 0.1304 and 0.2593.
  assert.equal(cohenKappa(pairs(20, 5, 10, 15)).kappa?.toFixed(4), "0.4000");
  assert.equal(cohenKappa(pairs(45, 15, 25, 15)).kappa?.toFixed(4), "0.1304");
  assert.equal(cohenKappa(pairs(25, 35, 5, 35)).kappa?.toFixed(4), "0.2593");
});

test("cohenKappa() has an interval by the standard error of Fleiss, Cohen and Everitt", () => {
  // Standard error 0.126996, computed by their formula for any number of categories.
  const { interval, agreement, total } = cohenKappa(pairs(20, 5, 10, 15));
  assert.deepEqual([total, agreement], [50, 0.7]);
  assert.deepEqual([interval?.low.toFixed(4), interval?.high.toFixed(4)], ["0.1511", "0.6489"]);
  assert.deepEqual(cohenKappa(pairs(5, 0, 0, 5)).interval, { low: 1, high: 1 });
});

test("cohenKappa() has no value where chance alone agrees fully", () => {
  const { agreement, kappa, interval } = cohenKappa(pairs(7, 0, 0, 0));
  assert.deepEqual({ agreement, kappa, interval }, { agreement: 1, kappa: null, interval: null });
  assert.equal(cohenKappa([]).agreement, null);
  assert.equal(cohenKappa(pairs(3, 4, 0, 0)).kappa, 0);
});

test("cohenKappa() refuses what is no pair of verdicts", () => {
  for (const text of ['[["true", true]]', "[[true]]", "[[true, true, true]]", '["ab"]', "{}"]) {
    const given: readonly VerdictPair[] = JSON.parse(text);
    assert.throws(() => cohenKappa(given), { code: "invalid-option", path: ["verdicts"] }, text);
  }
});
