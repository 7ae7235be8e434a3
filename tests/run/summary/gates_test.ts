import assert from "node:assert/strict";
import { test } from "node:test";
import { openStore } from "../../../mod.ts";
import { requireRun } from "../../../src/deploy/gate.ts";
import type { Scenario } from "../../../src/document/scenario/mod.ts";
import type { RunRecord } from "../../../src/run/store/mod.ts";
import { sampled } from "../../fast_check.ts";
import { needsProgram } from "../../programs.ts";
import { startRedis } from "../worker/_redis.ts";
import { GRAPHS, judgeGates, runPart, scenariosOf, WHOLE, withoutOne } from "./_gates.ts";

const SLOW = { timeout: 300_000 };

test("gates take whole runs only, whether run(), a test runner or a watch made them", SLOW, async () => {
  const sequences = sampled(200); // the bench tries 2,000
  const { wrong, wholes, byWay } = await judgeGates(sequences);
  assert.deepEqual(wrong, []);
  assert.ok(wholes > sequences / 20 && wholes < sequences, `${wholes} whole runs`);
  assert.deepEqual([...byWay.keys()].sort(), ["run", "testing", "watch"]);
});

test("gates take whole runs only, when workers made them", { ...SLOW, ...needsProgram("redis-server") }, async () => {
  await using redis = await startRedis();
  const { wrong, byWay } = await judgeGates(Math.max(sampled(60), 20), { redis: redis.url });
  assert.deepEqual(wrong, []);
  assert.ok((byWay.get("queue") ?? 0) > 0);
});

test("a gate says which scenarios of a part are missing", async () => {
  await using store = await openStore(":memory:");
  const gate = (run: RunRecord, scenarios?: readonly Scenario[]) =>
    requireRun(GRAPHS[0], store, { run: run.id, ...(scenarios ? { scenarios } : {}) });
  const selected = await runPart({ ...WHOLE, selected: ["orders"] }, store);
  const message = /1 of 3 scenarios were selected, without "returns", "thanks"/;
  await assert.rejects(gate(selected), { code: "gate", message });
  const filtered = await runPart({ ...WHOLE, way: "testing", selected: ["orders"] }, store);
  await assert.rejects(gate(filtered), { code: "gate", message: /"returns" has no results; "thanks" has no results/ });
  const split = await runPart({ ...WHOLE, shard: { index: 1, total: 2 } }, store);
  await assert.rejects(gate(split), { code: "gate", message: /it is shard 1\/2/ });
  const broken = await runPart({ ...WHOLE, broken: new Set(["thanks"]) }, store);
  await assert.rejects(gate(broken), { code: "gate", message: /"thanks" has 1 error/ });
  const cancelled = await runPart({ ...WHOLE, isAborted: true }, store);
  await assert.rejects(gate(cancelled), { code: "gate", message: /"orders" has 1 cancelled.*"thanks" has/ });
  const whole = await runPart(WHOLE, store);
  assert.equal((await gate(whole)).id, whole.id);
  const twice = await runPart({ ...WHOLE, repeat: 2 }, store);
  const lost = (run: RunRecord) => requireRun(GRAPHS[0], withoutOne(store), { run: run.id });
  await assert.rejects(lost(whole), { code: "gate", message: /"\w+" has no results/ });
  await assert.rejects(lost(twice), { code: "gate", message: /"\w+" has 1 call missing/ });
  const edited = scenariosOf(GRAPHS[0], "returns");
  await assert.rejects(gate(whole, edited), { code: "gate", message: /"returns" had another content/ });
});
