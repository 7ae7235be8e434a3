import assert from "node:assert/strict";
import { test } from "node:test";
import { createCoalesced } from "../../../../src/surface/studio/data/mod.ts";

test("createCoalesced() makes a value once for all who ask meanwhile, and begins it after they have asked", async () => {
  let now = 0;
  const begun: number[] = [];
  const coalesced = createCoalesced<number>(1);
  const ask = () =>
    coalesced("a", async () => {
      begun.push(now);
      return now;
    });
  const first = ask();
  now = 1;
  const others = Promise.all([ask(), ask(), ask()]);
  assert.equal(await first, 0);
  assert.deepEqual(await others, [1, 1, 1]);
  now = 2;
  assert.equal(await ask(), 2);
  assert.deepEqual(begun, [0, 1, 2]);
});

test("createCoalesced() makes values of two keys at the same time, and goes on after one that cannot be made", async () => {
  const coalesced = createCoalesced<string>(1);
  const failing = coalesced("a", () => Promise.reject(new Error("away")));
  const next = coalesced("a", async () => "back");
  assert.equal(await coalesced("b", async () => "other"), "other");
  await assert.rejects(failing, /away/);
  assert.equal(await next, "back");
});
