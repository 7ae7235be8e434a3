import assert from "node:assert/strict";
import { test } from "node:test";
import { createLatest } from "../../../../src/surface/studio/data/mod.ts";

test("createLatest() makes a value once for all who ask, and keeps those that were asked for last", async () => {
  const made: string[] = [];
  const latest = createLatest<string>(2);
  const ask = (key: string) =>
    latest(key, async () => {
      made.push(key);
      return key;
    });
  assert.deepEqual(await Promise.all([ask("a"), ask("a"), ask("b")]), ["a", "a", "b"]);
  await ask("a");
  await ask("c"); // b was asked for before a
  await ask("a");
  assert.deepEqual(made, ["a", "b", "c"]);
  await ask("b");
  assert.deepEqual(made, ["a", "b", "c", "b"]);
});

test("createLatest() does not keep a value that cannot be made", async () => {
  const latest = createLatest<number>(2);
  await assert.rejects(
    latest("a", () => Promise.reject(new Error("away"))),
    /away/,
  );
  assert.equal(await latest("a", async () => 1), 1);
});
