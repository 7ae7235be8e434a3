import assert from "node:assert/strict";
import { test } from "node:test";
import pLimit from "p-limit";
import { createFairLimit } from "../../../src/runner/schedule/fair_limit.ts";
import { createFairQueue } from "../../../src/runner/schedule/fair_queue.ts";
import * as fc from "../../fast_check.ts";

test("the queue takes one trial of each scenario in turn", () => {
  const queue = createFairQueue<string>();
  for (const trial of [1, 2, 3]) for (const scenario of ["a", "b"]) queue.add(scenario, `${scenario}${trial}`);
  queue.add("c", "c1");
  const taken = Array.from({ length: 8 }, () => queue.take());
  assert.deepEqual(taken, ["a1", "b1", "c1", "a2", "b2", "a3", "b3", undefined]);
});

test("no scenario waits for all trials of another: between two trials of one, each other scenario has a turn", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 6 }), { minLength: 1, maxLength: 6 }), (counts) => {
      const queue = createFairQueue<number>();
      for (const [group, count] of counts.entries()) for (let i = 0; i < count; i++) queue.add(`${group}`, group);
      const taken: number[] = [];
      for (let item = queue.take(); item !== undefined; item = queue.take()) taken.push(item);
      assert.equal(
        taken.length,
        counts.reduce((sum, count) => sum + count, 0),
      );
      const seen = counts.map(() => 0);
      for (const group of taken) {
        seen[group] = (seen[group] ?? 0) + 1;
        for (const [other, count] of counts.entries())
          assert.ok((seen[other] ?? 0) >= Math.min(count, (seen[group] ?? 0) - 1));
      }
    }),
  );
});

test("the trials of a scenario that wait are dropped when it is cancelled, and running ones finish", async () => {
  const calls = createFairLimit(pLimit(1));
  const begun: string[] = [];
  const results = ["a1", "b1", "a2", "b2"].map((name) =>
    calls.run(name.slice(0, 1), async () => {
      begun.push(name);
      if (name === "b1") calls.cancel("a");
      return name;
    }),
  );
  assert.deepEqual(await Promise.all(results), ["a1", "b1", undefined, "b2"]);
  assert.deepEqual(begun, ["a1", "b1", "b2"]);
});

test("a trial that is added later takes its turn, and one that throws does not stop the others", async () => {
  const calls = createFairLimit(pLimit(1));
  let repeated: Promise<string | undefined> | undefined;
  const first = calls.run("a", async () => {
    repeated = calls.run("a", async () => "again");
    throw new Error("broken");
  });
  const second = calls.run("b", async () => "b1");
  await assert.rejects(first, /broken/);
  assert.deepEqual([await second, await repeated], ["b1", "again"]);
});
