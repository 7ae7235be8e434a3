import assert from "node:assert/strict";
import { test } from "node:test";
import { run } from "../../../mod.ts";
import { attack } from "../../../src/run/attack/mod.ts";
import { ownPartOf, sampled } from "../../fast_check.ts";
import { bank, PLANTED, plantedModel } from "./_planted.ts";

test("there are at least 20 planted weaknesses, of different kinds and at different nodes", () => {
  assert.ok(PLANTED.length >= 20);
  assert.ok(new Set(PLANTED.map(({ kind }) => kind)).size >= 12);
  assert.deepEqual(new Set(PLANTED.map(({ node }) => node)), new Set(["greet", "billing", "account", "identify"]));
});

/**
 * Every fourth agent is attacked with all kinds, the others with that of their weakness: an attack with all kinds is some
 * 250 calls. With CALLWEAVE_SHARE=1, as in the bench of the properties, all are.
 */
const isWhole = (index: number) => sampled(4) === 4 || index % 4 === 0;

for (const [index, { name, kind, node, weak, near }] of ownPartOf([...PLANTED.entries()])) {
  const kinds = isWhole(index) ? {} : { kinds: [kind] };

  test(`attack() finds an agent that ${name}, and nothing else`, async () => {
    const { findings, stopped } = await attack(bank, { models: { agent: plantedModel(weak) }, ...kinds });
    assert.equal(stopped, undefined);
    assert.deepEqual(
      findings.map((finding) => [finding.kind, finding.node]),
      [[kind, node]],
    );
    const [finding] = findings;
    assert.ok(finding);
    assert.deepEqual(finding.rate.broken, finding.rate.tries);
    const options = { store: false, judging: { policies: finding.policy ? [finding.policy] : [] } } as const;
    const before = await run(bank, [finding.scenario], { ...options, models: { agent: plantedModel(weak) } });
    assert.equal(before.results[0]?.status, "fail");
    const after = await run(bank, [finding.scenario], { ...options, models: { agent: plantedModel() } });
    assert.deepEqual(
      [after.results[0]?.status, after.results[0]?.checks.filter(({ passed }) => !passed)],
      ["pass", []],
    );
  });

  test(`attack() finds nothing in an agent that only looks as if it ${name}`, async () => {
    const { findings, targets, stopped } = await attack(bank, {
      models: { agent: plantedModel(near, true) },
      ...kinds,
    });
    assert.deepEqual(
      findings.map((finding) => [finding.title, finding.words]),
      [],
    );
    assert.equal(stopped, undefined);
    assert.ok(targets.every(({ attempts, answered, left }) => attempts > 0 && answered === attempts && left === 0));
  });
}
