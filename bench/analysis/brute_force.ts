import process from "node:process";
import { checkPolicies } from "../../src/analysis/mod.ts";
import { bruteForce } from "../../tests/analysis/policies/_brute.ts";
import { randomPolicies } from "../../tests/analysis/policies/_random_policies.ts";

/**
 * Compares checkPolicies() with the engine, in which every decision is tried, on random graphs of up to eight nodes:
 * `bun bench/analysis/brute_force.ts FIRST COUNT MOST_CALLS`. Graphs that need more calls than that are skipped.
 */
const [first = 1, count = 100, mostCalls = 400] = process.argv.slice(2).map(Number);
const figures = { graphs: 0, skipped: 0, compared: 0, broken: 0, undecided: 0, wrong: 0 };
for (let seed = first; seed < first + count; seed++) {
  const { graph, rules } = randomPolicies(seed);
  const tried = await bruteForce(graph, rules, mostCalls);
  if (!tried) {
    figures.skipped++;
    continue;
  }
  figures.graphs++;
  for (const [index, rule] of rules.entries()) {
    const [answer] = checkPolicies(graph, [{ name: rule.verb, rules: [rule] }]);
    figures.compared++;
    if (answer?.verdict === "unknown") figures.undecided++;
    if (answer?.verdict === "broken") figures.broken++;
    if (answer?.verdict === "unknown" || (answer?.verdict === "broken") === tried[index]) continue;
    figures.wrong++;
    console.log(`seed ${seed}: ${JSON.stringify(rule)} is ${answer?.verdict}`);
  }
}
console.log(JSON.stringify(figures));
