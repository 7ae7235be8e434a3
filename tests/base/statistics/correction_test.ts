import assert from "node:assert/strict";
import { test } from "node:test";
import { correctedTests, exactTest, type ProportionPair } from "../../../api/statistics.ts";
import { sampled } from "../../fast_check.ts";
import { seeded, trialsOf } from "./_random.ts";

const SCENARIOS = 20;
const TRIALS = 40;

/** Share of comparisons of two equal runs in which any scenario is called changed. */
function falseAlarms(rates: (index: number) => number, trials: number, seed: number): number {
  const random = seeded(seed);
  const comparisons = sampled(1000);
  let alarms = 0;
  for (let round = 0; round < comparisons; round += 1) {
    const pairs = Array.from({ length: SCENARIOS }, (_, index) => ({
      base: trialsOf(rates(index), trials, random),
      head: trialsOf(rates(index), trials, random),
    }));
    if (correctedTests(pairs).some(({ corrected }) => corrected <= 0.05)) alarms += 1;
  }
  return alarms / comparisons;
}

test("correctedTests() calls a scenario changed in at most 5 % of 1,000 comparisons of equal runs, for any pass rates", () => {
  const shares = {
    "all 0.5": falseAlarms(() => 0.5, TRIALS, 1),
    "all 0.75": falseAlarms(() => 0.75, TRIALS, 2),
    "all 0.9": falseAlarms(() => 0.9, TRIALS, 3),
    "0 to 1": falseAlarms((index) => index / (SCENARIOS - 1), TRIALS, 5),
    "one of 0.5 among 0.97": falseAlarms((index) => (index === 0 ? 0.5 : 0.97), TRIALS, 6),
    "10 trials": falseAlarms((index) => 0.6 + 0.02 * index, 10, 7),
    "60 trials": falseAlarms((index) => 0.6 + 0.02 * index, 60, 8),
  };
  // On Node and Deno a tenth of the comparisons is made, where 5 % is too little for so few.
  const most = sampled(1000) === 1000 ? 0.05 : 0.1;
  assert.deepEqual(
    Object.entries(shares).filter(([, share]) => share > most),
    [],
  );
});

/** Probability of a number of passes among 40 trials. */
function binomial(rate: number): readonly number[] {
  const probabilities: number[] = [];
  for (let count = 0, choose = 1; count <= TRIALS; choose = (choose * (TRIALS - count)) / (count + 1), count += 1)
    probabilities.push(choose * rate ** count * (1 - rate) ** (TRIALS - count));
  return probabilities;
}

/** Probability that a fall from 0.9 to 0.6 with 40 trials a side is named, beside 19 scenarios with these passes. */
function powerBeside(others: readonly ProportionPair[]): number {
  const [before, after] = [binomial(0.9), binomial(0.6)];
  let power = 0;
  before.forEach((chanceBefore, from) => {
    after.forEach((chanceAfter, to) => {
      if (chanceBefore * chanceAfter < 1e-6) return;
      const pair = { base: { passes: from, trials: TRIALS }, head: { passes: to, trials: TRIALS } };
      if ((correctedTests([pair, ...others])[0]?.corrected ?? 1) <= 0.05) power += chanceBefore * chanceAfter;
    });
  });
  return power;
}

test("correctedTests() names a fall from 0.9 to 0.6 with 40 trials a side in at least 80 %, alone and among 20", () => {
  const alone = powerBeside([]);
  assert.ok(alone > 0.85 && alone < 0.855, String(alone));
  const same = (passes: number) => ({ base: { passes, trials: TRIALS }, head: { passes, trials: TRIALS } });
  const always = powerBeside(Array.from({ length: 19 }, () => same(40)));
  const usual = powerBeside(
    Array.from({ length: 19 }, (_, index) => same([36, 34, 38, 36, 37, 35, 36, 38][index % 8] ?? 36)),
  );
  assert.ok(always > 0.8, String(always));
  assert.ok(usual > 0.8, String(usual));
});

test("correctedTests() keeps the p-value of a single scenario, and never lowers one", () => {
  const pair = (from: number, to: number, trials = TRIALS) => ({
    base: { passes: from, trials },
    head: { passes: to, trials },
  });
  const alone = correctedTests([pair(36, 24)])[0];
  assert.equal(alone?.corrected, alone?.p);
  const pairs = [pair(36, 24), pair(30, 30), pair(5, 15, 20), pair(40, 40), pair(7, 9, 10)];
  const tests = correctedTests(pairs);
  assert.deepEqual(
    tests.map(({ p }) => p),
    pairs.map(({ base, head }) => exactTest(base, head)),
  );
  assert.ok(tests.every(({ p, corrected }) => corrected >= p && corrected <= 1));
  assert.deepEqual(correctedTests([]), []);
});

test("correctedTests() gives a larger fall no larger p-value", () => {
  const others = Array.from({ length: 19 }, () => ({
    base: { passes: 18, trials: 20 },
    head: { passes: 19, trials: 20 },
  }));
  for (let total = 0; total <= 40; total += 1) {
    const from = Math.max(0, total - 20);
    const found = Array.from({ length: Math.floor(total / 2) - from + 1 }, (_, index) => {
      const base = { passes: from + index, trials: 20 };
      return (
        correctedTests([{ base, head: { passes: total - base.passes, trials: 20 } }, ...others])[0]?.corrected ?? 0
      );
    });
    assert.deepEqual(
      found,
      [...found].sort((a, b) => a - b),
    );
  }
});
