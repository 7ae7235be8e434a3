import assert from "node:assert/strict";
import { test } from "node:test";
import { checkPolicies } from "../../../src/analysis/mod.ts";
import { fc } from "../../properties.ts";
import { bruteForce } from "./_brute.ts";
import { randomPolicies } from "./_random_policies.ts";

/** Graphs that the engine goes through quickly. `bench/analysis/brute_force.ts` takes any number, the large ones too. */
const SEEDS = [5, 80, 97, 17, 26, 38, 77, 95, 116];
const MOST_RUNS = 200;

test("checkPolicies() answers as the engine does when every decision is tried, on random graphs", async () => {
  let compared = 0;
  for (const seed of SEEDS.slice(0, fc.sampled(SEEDS.length))) {
    const { graph, rules } = randomPolicies(seed);
    const tried = await bruteForce(graph, rules, MOST_RUNS);
    if (!tried) continue;
    compared++;
    const answers = rules.map((rule) => checkPolicies(graph, [{ name: rule.verb, rules: [rule] }])[0]?.verdict);
    assert.deepEqual(
      answers,
      tried.map((isBroken) => (isBroken ? "broken" : "holds")),
      `seed ${seed}`,
    );
  }
  assert.ok(compared > 0);
});
