import assert from "node:assert/strict";
import { test } from "node:test";
import { checkPolicies, unknownNames } from "../../../../src/agent/analysis/mod.ts";
import { fc } from "../../../properties.ts";
import { problemOf } from "./_breaks.ts";
import { randomPolicies } from "./_random_policies.ts";

test("run() reports a breach for every counterexample of checkPolicies(), on random graphs", async () => {
  const verbs = new Set<string>();
  for (let seed = 1; seed <= fc.sampled(30); seed++) {
    const { graph, rules } = randomPolicies(seed);
    const policies = rules.map((rule) => ({ name: rule.verb, rules: [rule] }));
    for (const [index, answer] of checkPolicies(graph, policies).entries()) {
      const [policy] = policies.slice(index, index + 1);
      if (answer.verdict !== "broken" || !policy || unknownNames(graph, policy).length > 0) continue;
      verbs.add(answer.rule.verb);
      assert.equal(await problemOf(graph, policy, answer), undefined, `seed ${seed}`);
    }
  }
  assert.ok(verbs.size > 2);
});
