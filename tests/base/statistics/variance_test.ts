import assert from "node:assert/strict";
import { test } from "node:test";
import { flakinessSources, type NestedTrial } from "../../../api/statistics.ts";
import { seeded } from "./_random.ts";

/** Trials in which each level flips its verdict with a probability. */
function trialsWith(noise: { judge?: number; agent?: number; caller?: number }, seed: number): NestedTrial[] {
  const random = seeded(seed);
  const { judge = 0, agent = 0, caller = 0 } = noise;
  return Array.from({ length: 20 }, () => {
    const asked = random() >= caller;
    return Array.from({ length: 3 }, () => {
      const done = random() < agent ? !asked : asked;
      return Array.from({ length: 3 }, () => (random() < judge ? !done : done));
    });
  });
}

test("flakinessSources() attributes injected noise to the judge, the agent or the caller", () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    assert.equal(flakinessSources(trialsWith({ judge: 0.3 }, seed)).main, "judge");
    assert.equal(flakinessSources(trialsWith({ agent: 0.3 }, seed)).main, "agent");
    assert.equal(flakinessSources(trialsWith({ caller: 0.3 }, seed)).main, "caller");
    assert.equal(flakinessSources(trialsWith({}, seed)).main, null);
  }
});

test("flakinessSources() says nothing is flaky where all verdicts are the same", () => {
  const { variance, reason } = flakinessSources(trialsWith({}, 1));
  assert.deepEqual(variance, { judge: 0, agent: 0, caller: 0 });
  assert.equal(reason, "all 180 verdicts are the same: nothing is flaky");
});

test("flakinessSources() is unbiased: on average it finds the variances that were injected", () => {
  const noise = { judge: 0.1, agent: 0.2, caller: 0.3 };
  const found = Array.from({ length: 200 }, (_, index) => flakinessSources(trialsWith(noise, index + 1)).variance);
  const mean = (source: "judge" | "agent" | "caller") =>
    found.reduce((sum, each) => sum + (each[source] ?? 0), 0) / found.length;
  // A flip with probability q has the variance q(1 - q), and keeps (1 - 2q)² of the variance below it.
  const expected = { judge: 0.09, agent: 0.16 * 0.8 ** 2, caller: 0.21 * (0.8 * 0.6) ** 2 };
  for (const source of ["judge", "agent", "caller"] as const)
    assert.ok(Math.abs(mean(source) - expected[source]) < 0.006, `${source}: ${mean(source)}`);
});

test("flakinessSources() does not tell apart what was not repeated, and says so", () => {
  const once = flakinessSources([[[true]], [[false]], [[true]]]);
  assert.deepEqual([once.variance.judge, once.variance.agent, once.main], [null, null, "caller"]);
  assert.match(once.reason, /the judge and the agent is in it, because it was not repeated$/);
  const single = flakinessSources([[[true, false, true]]]);
  assert.deepEqual([single.variance.agent, single.variance.caller, single.main], [null, null, "judge"]);
});

test("flakinessSources() takes trials of different sizes, and leaves out those without verdicts", () => {
  const { trials, calls, judgements, main } = flakinessSources([[[true, true], []], [[]], [[true], [false, false]]]);
  assert.deepEqual({ trials, calls, judgements, main }, { trials: 2, calls: 3, judgements: 5, main: "agent" });
});
