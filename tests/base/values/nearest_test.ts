import assert from "node:assert/strict";
import { test } from "node:test";
import { didYouMean } from "../../../src/base/values/mod.ts";

test("didYouMean() suggests the candidate most similar to a mistyped name", () => {
  assert.equal(didYouMean("bookng", ["greet", "booking", "book"], "Declare it"), 'Did you mean "booking"?');
  assert.equal(didYouMean("by", ["bye"], "Declare it"), 'Did you mean "bye"?');
  assert.equal(didYouMean("Greet", ["greet"], "Declare it"), 'Did you mean "greet"?');
});

test("didYouMean() suggests nothing for a short name without common letters", () => {
  for (const [name, candidate] of [
    ["k", "a"],
    ["zz", "a"],
    ["qq", "id"],
    ["", "a"],
  ] as const)
    assert.equal(didYouMean(name, [candidate], "Declare it"), "Declare it");
});
