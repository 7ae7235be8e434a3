import assert from "node:assert/strict";
import { test } from "node:test";
import { isReordered, isSame, pairItems, unpaired } from "../../../../../src/agent/analysis/diff/matching/mod.ts";

test("isSame() treats absent values, null and empty lists and objects of a key alike", () => {
  for (const one of [undefined, null, [], {}, { a: null }, { a: [] }])
    for (const other of [undefined, null, [], {}, { a: null }, { a: [] }]) assert.ok(isSame(one, other));
  assert.ok(isSame({ a: 1, b: [], c: null }, { a: 1 }));
  assert.ok(isSame({ a: 1 }, { a: 1, b: [], c: null }));
  assert.ok(isSame({ a: 1, b: 2 }, { b: 2, a: 1 }));
});

test("isSame() tells other values apart, and all items of lists", () => {
  const values = [undefined, "", 0, false, "0", 1, [null], [{}], [null, null], [1, null], [1], [2], { a: 1 }, { a: 2 }];
  const more = [{ a: 1, b: 2 }, { a: [null] }, { a: [1] }, [[]], [undefined, 1], [{ a: 1 }], ["a"]];
  const all = [...values, ...more];
  for (const [index, one] of all.entries())
    for (const [at, other] of all.entries())
      assert.equal(isSame(one, other), index === at, `${JSON.stringify(one)} and ${JSON.stringify(other)}`);
});

test("items are reordered only if one with a counterpart stands before an earlier one", () => {
  assert.equal(isReordered([0, 1, 2]), false);
  assert.equal(isReordered([undefined, 0, undefined, 2]), false);
  assert.equal(isReordered([1, undefined, 0]), true);
  assert.equal(isReordered([]), false);
  assert.deepEqual(unpaired(4, [2, undefined, 0]), [1, 3]);
});

test("pairItems() pairs items with the same key in their order, by the strictest key first", () => {
  const [exact, first] = [(text: string) => text, (text: string) => text.slice(0, 1)];
  assert.deepEqual(pairItems(["a", "b", "a"], ["a", "a", "b", "a"], [exact]), [0, 2, 1, undefined]);
  assert.deepEqual(pairItems(["a1", "a2"], ["a2", "a3"], [exact, first]), [1, 0]);
  assert.deepEqual(pairItems(["a1", "b1"], ["a2", "b2"], [(text) => (text < "b" ? first(text) : undefined)]), [
    0,
    undefined,
  ]);
  assert.deepEqual(pairItems([], ["a"], [exact]), [undefined]);
});
