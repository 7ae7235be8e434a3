import assert from "node:assert/strict";
import { test } from "node:test";
import { pairEqual } from "../../../src/base/values/json/edit_json.ts";
import { sameJson } from "../../../src/base/values/json/json.ts";
import { fc } from "../../properties.ts";

/** Values that are often equal, and often differ only inside. */
const items = fc.array(
  fc.oneof(
    fc.constantFrom<unknown>(null, 0, 1, "", "1", "null", [], {}),
    fc.record({ id: fc.constantFrom("a", "b") }),
    fc.record({ id: fc.constantFrom("a", "b"), inner: fc.record({ a: fc.nat(2) }) }),
    fc.array(fc.nat(1), { maxLength: 2 }),
  ),
  { maxLength: 6 },
);

test("pairEqual() pairs like a comparison of each item with every other, in order", () => {
  fc.assert(
    fc.property(items, items, (before, after) => {
      const taken = new Set<number>();
      const expected = after.map((item) => {
        const match = before.findIndex((each, index) => !taken.has(index) && sameJson(each, item));
        taken.add(match);
        return match < 0 ? undefined : match;
      });
      assert.deepEqual(pairEqual(before, after), expected);
    }),
    { numRuns: 1_000 },
  );
});

test("pairEqual() ignores the order of keys and keys that are undefined", () => {
  const before = [{ a: 1, b: [2] }, { a: 1 }];
  const after = [
    { b: undefined, a: 1 },
    { b: [2], a: 1 },
  ];
  assert.deepEqual(pairEqual(before, after), [1, 0]);
});
