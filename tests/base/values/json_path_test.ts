import assert from "node:assert/strict";
import { test } from "node:test";
import { dropAt, getAt, replaceAt, setAt } from "../../../src/base/values/mod.ts";

test("getAt() follows keys and indexes, and no inherited keys", () => {
  const value = { list: [{ name: "a" }], text: "long" };
  assert.equal(getAt(value, []), value);
  assert.equal(getAt(value, ["list", 0, "name"]), "a");
  assert.equal(getAt(value, ["list", "length"]), undefined);
  assert.equal(getAt(value, ["list", 1, "name"]), undefined);
  assert.equal(getAt(value, ["text", "length"]), undefined);
  assert.equal(getAt(value, ["constructor"]), undefined);
});

test("setAt() copies objects on the path, and creates missing ones", () => {
  const before = { list: [{ name: "a" }], other: {} };
  assert.deepEqual(setAt(before, ["list", 0, "name"], "b"), { list: [{ name: "b" }], other: {} });
  assert.deepEqual(setAt(before, ["new", "key"], 1), { ...before, new: { key: 1 } });
  assert.deepEqual(setAt(before, ["list", 7], "end"), { list: [{ name: "a" }, "end"], other: {} });
  assert.equal(setAt(before, [], 1), before);
  assert.deepEqual(before, { list: [{ name: "a" }], other: {} });
  const odd = setAt({}, ["__proto__", "key"], 1);
  assert.deepEqual(Object.keys(odd), ["__proto__"]);
});

test("replaceAt() replaces an item of a list, or the value itself", () => {
  assert.deepEqual(replaceAt(["a", { key: 1 }], [1, "key"], 2), ["a", { key: 2 }]);
  assert.equal(replaceAt({ key: 1 }, [], "new"), "new");
  assert.deepEqual(replaceAt("text", ["key"], 1), { key: 1 });
});

test("dropAt() returns the same object if there is nothing to drop", () => {
  const before = { inner: { key: 1, other: 2 }, key: 3 };
  assert.deepEqual(dropAt(before, ["inner", "key"]), { inner: { other: 2 }, key: 3 });
  assert.deepEqual(dropAt(before, ["key"]), { inner: before.inner });
  for (const path of [[], ["none"], ["inner", "none"], ["key", "key"], ["inner", "constructor"]])
    assert.equal(dropAt(before, path), before);
});
