import assert from "node:assert/strict";
import { test } from "node:test";
import { matchItems } from "../../src/values/mod.ts";
import { fc } from "../properties.ts";

test("matchItems() pairs objects by their identity, wherever they moved", () => {
  const before = [{ id: "a" }, { id: "b", x: 1 }, { id: "c" }];
  assert.deepEqual(matchItems(before, [{ id: "c" }, { id: "b", x: 2 }, { id: "d" }], ["id"]), [2, 1, undefined]);
});

test("matchItems() tries the strongest key first, and the others for objects that do not have it", () => {
  const before = [
    { id: 1, name: "x" },
    { name: "y", old: true },
  ];
  assert.deepEqual(matchItems(before, [{ name: "y" }, { id: 1, name: "y" }], ["id", "name"]), [1, 0]);
});

test("matchItems() pairs objects that share an identity in their order", () => {
  assert.deepEqual(matchItems([{ id: "a" }, { id: "a" }], [{ id: "a" }, { id: "a" }, { id: "a" }], ["id"]), [
    0,
    1,
    undefined,
  ]);
});

test("matchItems() tells the number 1 from the text 1", () => {
  assert.deepEqual(
    matchItems(
      [
        { id: "1", a: 1 },
        { id: 1, b: 1 },
      ],
      [{ id: 1, b: 2, a: 1 }],
      ["id"],
    ),
    [1],
  );
});

test("matchItems() finds a renamed object by what else it says", () => {
  const node = { type: "conversation", prompt: "Ask for the name.", edges: [1] };
  assert.deepEqual(
    matchItems([{ id: "a", ...node }, { id: "b" }], [{ id: "z", ...node }, { id: "b" }], ["id"]),
    [0, 1],
  );
  assert.deepEqual(
    matchItems([{ id: "a", ...node }], [{ id: "z", ...node, prompt: "Ask for the date." }], ["id"]),
    [0],
  );
});

test("matchItems() takes an object with another identity and other settings for a new one", () => {
  const before = [{ id: "a", type: "end", prompt: "Bye." }];
  assert.deepEqual(matchItems(before, [{ id: "z", type: "logic", edges: [1, 2] }], ["id"]), [undefined]);
});

test("matchItems() pairs equal values, and leaves changed texts and numbers unpaired", () => {
  assert.deepEqual(matchItems(["a", 1, null], [null, "b", "a"], []), [2, undefined, 0]);
});

test("matchItems() pairs each item at most once, and equal lists one to one", () => {
  const items = fc.array(
    fc.oneof(fc.constantFrom("a", "b", 1), fc.record({ id: fc.constantFrom("p", "q", 1), n: fc.nat(2) })),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(items, items, (before, after) => {
      const matches = matchItems(before, after, ["id"]).filter((match) => match !== undefined);
      assert.equal(new Set(matches).size, matches.length);
      assert.ok(matches.every((match) => match >= 0 && match < before.length));
      assert.deepEqual(matchItems(before, before, ["id"]), [...before.keys()]);
    }),
    { numRuns: 300 },
  );
});
