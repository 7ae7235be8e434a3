import assert from "node:assert/strict";
import { test } from "node:test";
import { checkPolicies, playPath, unknownNames } from "../../../src/analysis/mod.ts";
import { scripted } from "../../../src/models/mod.ts";
import { run } from "../../../src/runner/mod.ts";
import { fc } from "../../properties.ts";
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
      const { answers } = playPath(graph, answer.path);
      const options = { models: { agent: scripted(answers) }, policies: [policy], store: false } as const;
      const { results } = await run(graph, [answer.scenario], options);
      const found = results[0]?.checks.filter(({ kind }) => kind === "policy") ?? [];
      const what = `seed ${seed}, ${JSON.stringify(answer.rule)}: ${results[0]?.errorMessage} ${results[0]?.endReason}`;
      assert.deepEqual(
        found.map(({ passed }) => passed),
        [false],
        what,
      );
      assert.equal(results[0]?.status, "fail", what);
    }
  }
  assert.ok(verbs.size > 2);
});
