import assert from "node:assert/strict";
import { test } from "node:test";
import { checkPolicies } from "../../../../src/agent/analysis/mod.ts";
import { fc } from "../../../properties.ts";
import { isBroken, startsFor, stateGraph, triedValues } from "./_brute.ts";
import { engineStates } from "./_engine_states.ts";
import { randomPolicies } from "./_random_policies.ts";

/** Number of graphs for the reference; `bench/analysis/brute_force.ts` takes 2,000. Some break rules with unnamed values. */
const SEEDS = [799, 1392, 1540, 2420, ...Array.from({ length: 12 }, (_, index) => index + 4)];
const MOST_STATES = 1_500;
/** Number of graphs that the engine explores quickly. */
const QUICK_SEEDS = [5, 80, 97, 17, 26, 38, 77, 95, 116];
const MOST_CALLS = 300;

test("checkPolicies() answers as exploring every state of every call does, on random graphs", () => {
  for (const seed of SEEDS.slice(0, fc.sampled(SEEDS.length))) {
    const { graph, rules } = randomPolicies(seed);
    const states = stateGraph(graph, rules, MOST_STATES);
    assert.ok(states, `seed ${seed}: more than ${MOST_STATES} states`);
    const answers = rules.map((rule) => checkPolicies(graph, [{ name: rule.verb, rules: [rule] }])[0]?.verdict);
    const expected = rules.map((rule) => (isBroken(graph, rule, states) ? "broken" : "holds"));
    assert.deepEqual(answers, expected, `seed ${seed}`);
  }
});

test("checkPolicies() answers as the engine does when every decision is tried in every state, on random graphs", async () => {
  for (const seed of QUICK_SEEDS.slice(0, fc.sampled(QUICK_SEEDS.length))) {
    const { graph, rules } = randomPolicies(seed);
    const values = triedValues(graph, rules);
    const states = await engineStates(graph, startsFor(graph, values), values.set, MOST_CALLS);
    assert.ok(states, `seed ${seed}: more than ${MOST_CALLS} calls`);
    const answers = rules.map((rule) => checkPolicies(graph, [{ name: rule.verb, rules: [rule] }])[0]?.verdict);
    const expected = rules.map((rule) => (isBroken(graph, rule, states) ? "broken" : "holds"));
    assert.deepEqual(answers, expected, `seed ${seed}`);
  }
});
