import assert from "node:assert/strict";
import { test } from "node:test";
import {
  canonicalJson,
  formatDollars,
  hasLuhnDigit,
  ibanRest,
  isTooDeep,
  joinSpokenDigits,
  luhnDigit,
  MAX_DEPTH,
  mergeJson,
  pick,
  readableError,
  recordsAt,
  sameJson,
  sortedEntries,
  thrownWords,
} from "../../../src/base/values/mod.ts";

test("check digits of cards and bank accounts find a wrong digit and two swapped ones", () => {
  for (const card of ["4111111111111111", "378282246310005", "5555555555554444", "18"]) {
    assert.ok(hasLuhnDigit(card), card);
    assert.equal(luhnDigit(card.slice(0, -1)), Number(card.at(-1)));
    for (const other of "0123456789")
      if (other !== card.at(-1)) assert.ok(!hasLuhnDigit(card.slice(0, -1) + other), card.slice(0, -1) + other);
  }
  assert.ok(!hasLuhnDigit("4111111111111171"));
  for (const iban of ["DE89370400440532013000", "GB29NWBK60161331926819"]) assert.equal(ibanRest(iban), 1);
  for (const iban of ["DE89370400440532013001", "DE98370400440532013000", "GB29NWBK60161331926891"])
    assert.notEqual(ibanRest(iban), 1);
});

test("dollars have cents, or two digits where cents would show nothing", () => {
  assert.deepEqual([0, 12.4, 0.01, 0.00999, 0.0021, 1234.5].map(formatDollars), [
    ...["$0", "$12.40", "$0.01", "$0.01", "$0.0021", "$1234.50"],
  ]);
});

test("digits that are spoken one by one are joined", () => {
  assert.equal(joinSpokenDigits("It is four 8 one, five - oh please"), "It is 48150 please");
  assert.equal(joinSpokenDigits("one two, please"), "one two, please");
});

test("a document is too deep beyond its limit, in lists and objects, and rings do not hang", () => {
  const nested = (levels: number, wrap: (inner: unknown) => unknown) =>
    Array.from({ length: levels }).reduce((inner) => wrap(inner), "end");
  for (const wrap of [(inner: unknown) => [inner], (inner: unknown) => ({ inner, none: null, text: "a" })]) {
    assert.equal(isTooDeep(nested(MAX_DEPTH, wrap)), false);
    assert.equal(isTooDeep(nested(MAX_DEPTH + 2, wrap)), true);
  }
  for (const flat of ["a", null, undefined, 7, {}, [null, "a"]]) assert.equal(isTooDeep(flat), false);
  const ring: { self?: unknown } = {};
  ring.self = ring;
  assert.equal(isTooDeep(ring), true);
});

test("mergeJson() merges objects at any depth, replaces other values, and appends the lists that grow", () => {
  const base = { a: { b: 1, c: [1] }, list: [1], text: "a", only: null };
  const extra = { a: { c: [2], d: 2 }, list: [2], text: { deep: true } };
  assert.deepEqual(mergeJson(base, extra), { a: { b: 1, c: [2], d: 2 }, list: [2], text: { deep: true }, only: null });
  assert.deepEqual(mergeJson(base, extra, new Set(["list", "text"])).list, [1, 2]);
  assert.deepEqual(mergeJson(base, extra, new Set(["c"])).a, { b: 1, c: [1, 2], d: 2 });
  assert.deepEqual(mergeJson({ a: [1] }, { a: { b: 1 } }, new Set(["a"])), { a: { b: 1 } });
  assert.deepEqual(mergeJson({ a: { b: 1 } }, { a: [1] }, new Set(["a"])), { a: [1] });
});

test("sameJson() and canonicalJson() agree: key order and undefined do not count, the order of lists does", () => {
  const same = [
    [
      { a: 1, b: [{ c: null }] },
      { b: [{ c: null }], a: 1 },
    ],
    [{ a: 1, b: undefined }, { a: 1 }],
    [[], []],
    ["a", "a"],
  ];
  const other = [
    [{ a: 1 }, { a: "1" }],
    [{ a: 1 }, { a: 1, b: null }],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 2]],
    [[1, 2], [1]],
    [[], {}],
    [{}, null],
    [null, {}],
    ["a", {}],
    [{}, "a"],
    [{ a: 1 }, { b: 1 }],
  ];
  for (const [a, b] of same) assert.ok(sameJson(a, b) && canonicalJson(a) === canonicalJson(b), JSON.stringify([a, b]));
  for (const [a, b] of other)
    assert.ok(!sameJson(a, b) && canonicalJson(a) !== canonicalJson(b), JSON.stringify([a, b]));
  assert.equal(canonicalJson({ b: [undefined, 1], a: undefined, c: "é" }), '{"b":[null,1],"c":"é"}');
});

test("parts of objects are read without surprises", () => {
  assert.deepEqual(pick({ a: 1, b: 2, c: 3 }, ["c", "a", "x"]), { a: 1, c: 3 });
  assert.deepEqual(sortedEntries({ b: 1, a: 2, B: 3 }), [
    ["B", 3],
    ["a", 2],
    ["b", 1],
  ]);
  assert.deepEqual(recordsAt({ list: [{ a: 1 }, "b", null, [1], { c: 2 }] }, ["list"]), [{ a: 1 }, { c: 2 }]);
  assert.deepEqual(recordsAt({ list: "a" }, ["list"]), []);
});

test("anything that is thrown has words, also what cannot be read", () => {
  const bare: unknown = Object.create(null);
  const broken = Object.defineProperty(new Error("a"), "message", {
    get: () => {
      throw new Error("unreadable");
    },
  });
  assert.deepEqual(["a", 7, null, new Error("b")].map(thrownWords), ["a", "7", "null", "b"]);
  assert.deepEqual(
    [bare, broken].map(thrownWords),
    Array.from({ length: 2 }, () => "a value that cannot be converted to text"),
  );
  const good = new Error("b");
  for (const value of [good, "a", null, 7, bare]) assert.equal(readableError(value), value);
  assert.match(thrownWords(readableError(broken)), /^an unreadable value was thrown$/);
  const odd = Object.assign(new Error("a"), { message: 7 });
  assert.equal(thrownWords(readableError(odd)), "7");
});
