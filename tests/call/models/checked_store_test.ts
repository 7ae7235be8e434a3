import assert from "node:assert/strict";
import { test } from "node:test";
import { ModelError } from "../../../src/base/errors.ts";
import { checkedStore, type RecordingStore } from "../../../src/call/models/recordings/store.ts";

const EMPTY: RecordingStore = {
  find: async () => undefined,
  add: async () => {},
  like: async () => [],
  flush: async () => {},
};
const CALL = { scenario: "orders", trial: 1 };

/** A store with a method that returns or throws something else than it declares. */
const checkedWith = (method: keyof RecordingStore, answer: () => unknown) =>
  checkedStore({ ...EMPTY, [method]: async () => answer() }, 60_000);
const fails = (error: unknown) => () => {
  throw error;
};

test("checkedStore() does without the methods that a store may leave out", async () => {
  const store = checkedStore(EMPTY, 60_000);
  await store.prepare("record");
  await store.addClock(CALL, "2026-03-02T12:00:00.000Z");
  assert.equal(await store.findClock(CALL), undefined);
});

test("checkedStore() takes null for what was not found", async () => {
  assert.equal(await checkedWith("find", () => null).find("key"), undefined);
  assert.equal(await checkedWith("findClock", () => null).findClock(CALL), undefined);
});

test("checkedStore() refuses answers that nobody has recorded", async () => {
  const odd = (method: string) => ({ code: "recording-unreadable", path: [method], message: /their store returned/ });
  await assert.rejects(checkedWith("find", () => ({ content: 5 })).find("key"), odd("find"));
  await assert.rejects(checkedWith("like", () => [{}]).like("agent", "respond"), odd("like"));
  for (const time of ["yesterday", 5])
    await assert.rejects(checkedWith("findClock", () => time).findClock(CALL), odd("findClock"));
});

test("checkedStore() names the method that failed, and what it threw", async () => {
  const failing = fails(new Error("no connection"));
  const read = (method: string) => ({
    code: "recording-unreadable",
    path: [method],
    message: `Cannot read recordings: ${method}() of their store failed: no connection`,
  });
  const write = (method: string) => ({
    code: "recording-unwritable",
    path: [method],
    message: `Cannot write recordings: ${method}() of their store failed: no connection`,
  });
  await assert.rejects(checkedWith("find", failing).find("key"), read("find"));
  await assert.rejects(checkedWith("like", failing).like("agent", "respond"), read("like"));
  await assert.rejects(checkedWith("findClock", failing).findClock(CALL), read("findClock"));
  await assert.rejects(checkedWith("addClock", failing).addClock(CALL, ""), write("addClock"));
  await assert.rejects(checkedWith("prepare", failing).prepare("record"), write("prepare"));
  await assert.rejects(checkedWith("flush", failing).flush(), write("flush"));
});

test("checkedStore() passes on a typed error of the store", async () => {
  const own = new ModelError("Cannot read", { code: "recording-unreadable", hint: "" });
  await assert.rejects(checkedWith("find", fails(own)).find("key"), own);
});
