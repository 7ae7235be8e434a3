import process from "node:process";
import { checkPolicies, unknownNames } from "../../src/agent/analysis/mod.ts";
import { problemOf } from "../../tests/agent/analysis/policies/_breaks.ts";
import { isBroken, startsFor, stateGraph, triedValues } from "../../tests/agent/analysis/policies/_brute.ts";
import { engineStates } from "../../tests/agent/analysis/policies/_engine_states.ts";
import { randomPolicies } from "../../tests/agent/analysis/policies/_random_policies.ts";

/**
 * Compares checkPolicies() with brute force on random graphs of up to eight nodes:
 * `bun bench/analysis/brute_force.ts FIRST COUNT MOST_CALLS MOST_NAMES`.
 *
 * The reference implementation of the engine explores every state of every call. If the engine needs at most
 * MOST_CALLS calls, it is explored too; the others are listed. With equations about at most two variables (MOST_NAMES),
 * that is almost every graph; with five, nine of ten. Every counterexample runs in the engine, and must break its policy.
 */
const [first = 1, count = 2_000, mostCalls = 0, mostNames = 5] = process.argv.slice(2).map(Number);
const MOST_STATES = 2_000_000;
const figures = {
  ...{ graphs: 0, skipped: 0, compared: 0, broken: 0, undecided: 0, differences: 0 },
  ...{ counterexamples: 0, refuted: 0, engine_graphs: 0, engine_differences: 0 },
};
for (let seed = first; seed < first + count; seed++) {
  const { graph, rules } = randomPolicies(seed, mostNames);
  const states = stateGraph(graph, rules, MOST_STATES);
  if (!states) {
    figures.skipped++;
    continue;
  }
  figures.graphs++;
  const values = triedValues(graph, rules);
  const engine = mostCalls > 0 ? await engineStates(graph, startsFor(graph, values), values.set, mostCalls) : undefined;
  if (engine) figures.engine_graphs++;
  else if (mostCalls > 0) console.log(`seed ${seed}: the engine needs more than ${mostCalls} calls`);
  for (const rule of rules) {
    const policy = { name: rule.verb, rules: [rule] };
    const [answer] = checkPolicies(graph, [policy]);
    const isReferenceBroken = isBroken(graph, rule, states);
    figures.compared++;
    if (answer?.verdict === "unknown") figures.undecided++;
    else if ((answer?.verdict === "broken") !== isReferenceBroken) {
      figures.differences++;
      console.log(`seed ${seed}: ${JSON.stringify(rule)} is ${answer?.verdict}`);
    }
    if (engine && isBroken(graph, rule, engine) !== isReferenceBroken) {
      figures.engine_differences++;
      console.log(`seed ${seed}: the engine differs for ${JSON.stringify(rule)}`);
    }
    if (answer?.verdict !== "broken") continue;
    figures.broken++;
    if (unknownNames(graph, policy).length > 0) continue; // a run rejects such a policy
    figures.counterexamples++;
    const problem = await problemOf(graph, policy, answer);
    if (problem === undefined) continue;
    figures.refuted++;
    console.log(`seed ${seed}: ${problem}`);
  }
}
console.log(JSON.stringify(figures));
