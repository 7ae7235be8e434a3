import assert from "node:assert/strict";
import { test } from "node:test";
import { mergeRuns } from "../../../api/calls.ts";
import { run } from "../../../mod.ts";
import { openStore, type Store } from "../../../src/run/store/mod.ts";
import { newResult, newRun } from "../store/_fixtures.ts";
import { LINE, SCENARIOS, slotName } from "./_resumable.ts";

const NAMES = SCENARIOS.map(({ name }) => name);

async function shard(store: Store, index: number, total = 2) {
  const { id } = await run(LINE, SCENARIOS, { store, repeat: { times: 2 }, share: { shard: { index, total } } });
  return await store.showRun(id);
}

test("mergeRuns() makes one finished run of shards that did not share a database", async () => {
  await using one = await openStore(":memory:");
  await using other = await openStore(":memory:");
  const shards = [await shard(one, 1), await shard(other, 2)];
  const { run: merged, results, missing } = await mergeRuns(one, [...shards, ...shards.slice(1)]);
  assert.deepEqual([results, missing, merged.counts.pass], [10, [], 10]);
  assert.notEqual(merged.finishedAt, null);
  const stored = await one.showRun(merged.id);
  assert.deepEqual(
    stored.results.map(slotName).sort(),
    NAMES.flatMap((name) => [`${name} 1`, `${name} 2`]),
  );
  const resumed = await run(LINE, SCENARIOS, { store: one, repeat: { times: 2 }, share: { resume: merged.id } });
  assert.deepEqual([resumed.passed, resumed.results.length], [true, 10]);
});

test("mergeRuns() takes along what people said, with the ids of the merged run", async () => {
  await using one = await openStore(":memory:");
  await using other = await openStore(":memory:");
  const shards = [await shard(one, 1), await shard(other, 2)];
  const [first = "", second = ""] = shards.map(({ results }) => results[0]?.id ?? "");
  const about = { turn: null, criterion: null, what: null, words: null } as const;
  const later = { ...about, call: first, verdict: "good", by: "ana", at: "2026-01-03T00:00:00.000Z" } as const;
  const earlier = { ...later, verdict: "bad", at: "2026-01-02T00:00:00.000Z" } as const;
  const turn = { ...later, turn: 1, criterion: "polite", words: "sk-proj-Qm7Zt4Rw9Kx2Lp6Vn8Bc3Hs5Jd1Fg0Ty" } as const;
  await one.addLabels([later, turn]);
  await other.addLabels([{ ...about, call: second, verdict: "bad", by: "bob", at: "2026-01-04T00:00:00.000Z" }]);
  const stored = await Promise.all([one.showRun(shards[0]?.run.id ?? ""), other.showRun(shards[1]?.run.id ?? "")]);
  // a copy of the first run, in which ana had said something else before
  const copy = { ...stored[0], labels: [earlier] };
  await using all = await openStore(":memory:");
  const { run: merged } = await mergeRuns(all, [...stored, copy]);
  const { results, labels = [] } = await all.showRun(merged.id);
  const slots = new Map(results.map((result) => [result.id, slotName(result)]));
  const [slot, otherSlot] = shards.map(({ results: [result] }) => result && slotName(result));
  assert.deepEqual(
    labels.map(({ call, by, verdict, turn: at, words }) => [slots.get(call), by, verdict, at, words]),
    [
      [slot, "ana", "good", null, null],
      [slot, "ana", "good", 1, "[secret]"],
      [otherSlot, "bob", "bad", null, null],
    ],
  );
});

test("mergeRuns() leaves a run unfinished that lacks scenarios, so that it can be resumed", async () => {
  await using store = await openStore(":memory:");
  const merged = await mergeRuns(store, [await shard(store, 1, 3), await shard(store, 3, 3)]);
  assert.deepEqual([merged.missing, merged.run.finishedAt], [["b", "e"], null]);
  const resumed = await run(LINE, SCENARIOS, { store, repeat: { times: 2 }, share: { resume: merged.run.id } });
  assert.deepEqual([resumed.counts.pass, resumed.passed], [10, true]);
});

test("mergeRuns() refuses runs of another agent or plan, and results that differ", async () => {
  await using store = await openStore(":memory:");
  const whole = await shard(store, 1);
  const { id } = await run(LINE, SCENARIOS, { store, repeat: { times: 3 }, share: { shard: { index: 2, total: 2 } } });
  await assert.rejects(mergeRuns(store, [whole, await store.showRun(id)]), { code: "different-plan" });
  const [first, second] = await Promise.all([store.startRun(newRun()), store.startRun(newRun())]);
  await store.addResult(first.id, newResult({ attempt: 1 }));
  await store.addResult(second.id, newResult({ attempt: 1, status: "fail" }));
  const runs = await Promise.all([first, second].map((each) => store.showRun(each.id)));
  const before = (await store.listRuns()).length;
  await assert.rejects(mergeRuns(store, runs), { code: "different-results", message: /trial 1 of "says goodbye"/ });
  await assert.rejects(mergeRuns(store, [whole]), { code: "invalid-option" });
  assert.equal((await store.listRuns()).length, before, "nothing is stored");
});
