import assert from "node:assert/strict";
import { test } from "node:test";
import { matchItems } from "../../../src/base/values/mod.ts";
import { fc } from "../../properties.ts";

test("matchItems() pairs objects by identity, wherever they moved", () => {
  const before = [{ id: "a" }, { id: "b", x: 1 }, { id: "c" }];
  assert.deepEqual(matchItems(before, [{ id: "c" }, { id: "b", x: 2 }, { id: "d", y: 1 }], ["id"]), [2, 1, undefined]);
});

test("matchItems() uses the strongest key first, and other keys for objects without it", () => {
  const before = [
    { id: 1, name: "x" },
    { name: "y", old: true },
  ];
  assert.deepEqual(matchItems(before, [{ name: "y" }, { id: 1, name: "y" }], ["id", "name"]), [1, 0]);
});

test("matchItems() pairs objects with the same identity in order", () => {
  assert.deepEqual(matchItems([{ id: "a" }, { id: "a" }], [{ id: "a" }, { id: "a" }, { id: "a" }], ["id"]), [
    0,
    1,
    undefined,
  ]);
});

test("matchItems() distinguishes the number 1 from the text 1", () => {
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

test("matchItems() finds a renamed object by its other keys", () => {
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

test("matchItems() treats an object with another identity and other settings as new", () => {
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

test("matchItems() pairs the most similar items first, then the nearest", () => {
  const best = { a: 1, b: 2, c: 3 };
  assert.deepEqual(matchItems([{ ...best, a: 0, b: 0 }, best], [{ ...best, a: 9 }], []), [1]);
  assert.deepEqual(
    matchItems(
      [best, { ...best, a: 0, b: 0 }],
      [
        { a: 7, b: 0, c: 3 },
        { ...best, a: 9 },
      ],
      [],
    ),
    [1, 0],
  );
  const same = (n: number) => ({ kind: "x", n });
  assert.deepEqual(matchItems([same(1), same(2), same(3)], [same(4), same(5), same(6)], []), [0, 1, 2]);
  assert.deepEqual(matchItems(["x", "y", same(1), same(2)], [1, 2, 3, same(3)], []), [
    undefined,
    undefined,
    undefined,
    3,
  ]);
  assert.deepEqual(matchItems([[1], [2]], [[3], [4]], []), [0, 1]);
});

test("matchItems() treats an object as renamed if at least half of its other keys are equal", () => {
  const paired = (before: object, after: object) => matchItems([before], [after], ["id", "function.name"])[0] === 0;
  assert.equal(paired({ id: "a", x: 1, y: 1 }, { id: "z", x: 1, y: 2 }), true);
  assert.equal(paired({ id: "a", x: 1, y: 1, w: 1 }, { id: "z", x: 1, y: 2, w: 2 }), false);
  const tool = (name: string, e: number) => ({ function: { name, d: 1, e } });
  assert.equal(paired(tool("a", 1), tool("z", 2)), true);
  assert.equal(paired({ function: { name: "a", d: 1 } }, { function: { name: "z", d: 2 } }), false);
  assert.equal(paired({ id: "a", inner: { name: "x", d: 1 } }, { id: "z", inner: { name: "y", d: 2 } }), false);
  assert.equal(paired({ id: "a", x: { d: 1 } }, { id: "z", x: 1 }), false);
});

test("matchItems() uses the same threshold for objects with and without identity", () => {
  assert.deepEqual(matchItems([{ id: "a", x: 1 }], [{ x: 1 }], ["id"]), [0]);
  assert.deepEqual(matchItems([{ x: 1 }], [{ id: "a", x: 1 }], ["id"]), [0]);
  assert.deepEqual(matchItems([{ id: "a", x: 1, y: 1 }], [{ x: 1, y: 2 }], ["id"]), [0]);
  assert.deepEqual(matchItems([{ id: "a", x: 1, y: 1, w: 1 }], [{ x: 1, y: 2 }], ["id"]), [undefined]);
  assert.deepEqual(matchItems([{ x: 1, y: 1, w: 1 }], [{ id: "a", x: 1, y: 2 }], ["id"]), [undefined]);
  assert.deepEqual(matchItems([{ x: 1 }], [{ x: 2 }], ["id"]), [0]);
  assert.deepEqual(matchItems([[1]], [{ x: 1 }], ["id"]), [undefined]);
  assert.deepEqual(matchItems([{ x: 1 }], [[1]], ["id"]), [undefined]);
});

test("matchItems() does not compare the items of long lists one by one", () => {
  const list = (length: number, n: number) => Array.from({ length }, (_, index) => ({ kind: "x", at: index, n }));
  assert.deepEqual(matchItems(list(50, 1), list(50, 2), []), [...list(50, 1).keys()]);
  assert.ok(matchItems(list(51, 1), list(50, 2), []).every((match) => match === undefined));
});

test("matchItems() pairs equal items first, and never items of different kinds", () => {
  assert.deepEqual(
    matchItems(
      [
        { id: "a", x: 1 },
        { id: "a", x: 2 },
      ],
      [{ id: "a", x: 2 }],
      ["id"],
    ),
    [1],
  );
  const kindOf = (item: unknown) => (JSON.stringify(item).includes('"logic"') ? "logic" : undefined);
  const talk = { id: "a", x: 1, y: 1 };
  assert.deepEqual(matchItems([talk], [{ ...talk, kind: "logic" }], ["id"], kindOf), [undefined]);
  assert.deepEqual(matchItems([talk], [{ ...talk, kind: "end" }], ["id"], kindOf), [0]);
  assert.deepEqual(matchItems([{ x: 1, y: 1 }], [{ x: 1, y: 1, kind: "logic" }], ["id"], kindOf), [undefined]);
});

test("matchItems() treats an empty name as missing", () => {
  const [a, b] = [
    { id: "", x: 1, y: 1 },
    { id: "", x: 2, y: 2 },
  ];
  assert.deepEqual(
    matchItems(
      [a, b],
      [
        { ...b, z: 1 },
        { ...a, z: 1 },
      ],
      ["id"],
    ),
    [1, 0],
  );
});

test("matchItems() takes two objects that have nothing but different identities for two things", () => {
  const paired = (before: object, after: object) => matchItems([before], [after], ["id", "function.name"])[0] === 0;
  assert.equal(paired({ id: "a" }, { id: "z" }), false);
  assert.equal(paired({ function: { name: "a" } }, { function: { name: "z" } }), false);
  assert.equal(paired({ id: "a", x: 1 }, { id: "z", x: 1 }), true);
  assert.equal(paired({ function: { name: "a", x: 1 } }, { function: { name: "z", x: 1 } }), true);
});
