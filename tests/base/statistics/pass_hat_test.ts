import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { passHat } from "../../../api/statistics.ts";

const RECORDED = new URL("../../../../shared/data/tau-bench-airline.json", import.meta.url);

/** Mean of pass^1..4 over tasks with four trials each, and how many tasks both passed and failed. */
function statisticsOf(passes: readonly number[]) {
  const hats = [1, 2, 3, 4].map((k) => passes.reduce((sum, count) => sum + passHat(k, 4, count), 0) / passes.length);
  return { hats: hats.map((hat) => hat.toFixed(3)), mixed: passes.filter((count) => count > 0 && count < 4).length };
}

test("passHat() gives pass^k of recorded tau-bench trials", {
  skip: existsSync(RECORDED) ? false : "the recorded calls (../shared/data) are not on this machine",
}, () => {
  const { calls }: { calls: { task_id: number; reward: number }[] } = JSON.parse(readFileSync(RECORDED, "utf8"));
  const passes = new Map<number, number>();
  for (const { task_id: task, reward } of calls) passes.set(task, (passes.get(task) ?? 0) + reward);
  assert.equal(passes.size, 50);
  assert.deepEqual(statisticsOf([...passes.values()]), { hats: ["0.420", "0.273", "0.220", "0.200"], mixed: 26 });
});

test("passHat() estimates that k calls all pass, without counting a trial twice", () => {
  assert.deepEqual(
    [1, 2, 3, 4].map((k) => passHat(k, 4, 3)),
    [0.75, 0.5, 0.25, 0],
  );
  assert.deepEqual([passHat(3, 3, 3), passHat(1, 5, 0), passHat(2, 5, 2)], [1, 0, 0.1]);
  assert.deepEqual(statisticsOf([4, 2, 0, 0]), { hats: ["0.375", "0.292", "0.250", "0.250"], mixed: 1 });
});

test("passHat() refuses more calls than there are trials", () => {
  assert.throws(() => passHat(5, 4, 4), { code: "invalid-option" });
  assert.throws(() => passHat(1, 4, 5), { code: "invalid-option" });
});
