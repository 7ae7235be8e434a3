import assert from "node:assert/strict";
import { test } from "node:test";
import { merge } from "../../../platforms/lens/mod.ts";
import { fc } from "../../properties.ts";

const SHAPE = { keys: ["id", "name"] };
const json = fc.jsonValue({ maxDepth: 4 }).map((value): unknown => JSON.parse(JSON.stringify(value)));

function merged(original: unknown, base: unknown, mine: unknown, derived: readonly string[] = []): unknown {
  return merge(original, base, mine, { ...SHAPE, derived });
}

test("merge() returns the original if base and mine are equal", () => {
  fc.assert(
    fc.property(json, json, (original, base) => assert.equal(merged(original, base, base), original)),
    {
      numRuns: 300,
    },
  );
});

test("merge() returns the new document if the emitter writes all of the original", () => {
  fc.assert(
    fc.property(json, json, (original, mine) => assert.deepEqual(merged(original, original, mine), mine)),
    {
      numRuns: 500,
    },
  );
});

test("merge() keeps unknown keys and the order of keys", () => {
  const original = { z: 1, secret_setting: { on: true }, prompt: "Hi", a: [] };
  const written = merged(original, { a: [], prompt: "Hi", z: 1 }, { a: [], prompt: "Hello", z: 1 });
  assert.equal(JSON.stringify(written), JSON.stringify({ ...original, prompt: "Hello" }));
});

test("merge() does not add defaults that the original lacks", () => {
  assert.deepEqual(merged({ a: 1 }, { a: 1, speed: 1 }, { a: 2, speed: 1 }), { a: 2 });
  assert.deepEqual(merged({ a: 1 }, { a: 1, speed: 1 }, { a: 1, speed: 2 }), { a: 1, speed: 2 });
});

test("merge() keeps the original's spelling of an unchanged setting", () => {
  const original = { tools: null, n: "1", list: "one" };
  const base = { tools: [], n: 1, list: ["one"] };
  assert.deepEqual(merged(original, base, { ...base, n: 2 }), { ...original, n: 2 });
});

test("merge() removes a removed setting and keeps list items that the emitter does not write", () => {
  const original = { a: 1, keep: 1, tools: [{ id: "t" }, "odd"] };
  assert.deepEqual(merged(original, { a: 1, tools: [{ id: "t" }] }, {}), { keep: 1, tools: ["odd"] });
  assert.deepEqual(merged({ tools: [{ id: "t" }] }, { tools: [{ id: "t" }] }, {}), {});
});

test("merge() inserts a new key after the key that precedes it in the emitted document", () => {
  const base = { a: 1, b: 2 };
  assert.equal(JSON.stringify(merged({ b: 2, x: 0, a: 1 }, base, { a: 1, n: 5, b: 2 })), '{"b":2,"x":0,"a":1,"n":5}');
  assert.equal(JSON.stringify(merged({ b: 2, x: 0, a: 1 }, base, { n: 5, a: 1, b: 2 })), '{"b":2,"x":0,"a":1,"n":5}');
});

test("merge() keeps unknown keys of moved and renamed objects", () => {
  const item = (id: string) => ({ id, type: "conversation", prompt: `Say ${id}.`, tone: "calm" });
  const original = [
    { ...item("a"), x: 1 },
    { ...item("b"), x: 2 },
    { ...item("c"), x: 3 },
  ];
  const base = ["a", "b", "c"].map(item);
  assert.deepEqual(merged(original, base, [item("c"), item("a"), item("b")]), [original[2], original[0], original[1]]);
  const renamed = [item("a"), { ...item("b"), id: "z" }, item("c")];
  assert.deepEqual(merged(original, base, renamed), [original[0], { ...original[1], id: "z" }, original[2]]);
});

test("merge() inserts a new item after its neighbour, also if the original has another order", () => {
  const ids = (...names: readonly string[]) => names.map((id) => ({ id, type: id.repeat(3) }));
  assert.deepEqual(
    merged(ids("c", "a", "b"), ids("a", "b", "c"), ids("a", "new", "b", "c")),
    ids("c", "a", "new", "b"),
  );
  assert.deepEqual(merged(ids("c", "a", "b"), ids("a", "b", "c"), ids("new", "b", "c")), ids("new", "c", "b"));
});

test("merge() keeps items that the emitter does not write in place", () => {
  const known = (...names: readonly string[]) => names.map((id) => ({ id, type: id.repeat(3) }));
  const original = ["first", ...known("a"), "middle", ...known("b"), "last"];
  assert.deepEqual(merged(original, known("a", "b"), known("a", "b", "n")), [
    "first",
    ...known("a"),
    "middle",
    ...known("b", "n"),
    "last",
  ]);
  assert.deepEqual(merged(original, known("a", "b"), known("b")), ["first", "middle", ...known("b"), "last"]);
});

test("merge() does not add an object that the original lacks if only its derived keys changed", () => {
  const base = { name: "ask", else_edge: { id: "edge-ask-else", to: [] } };
  const mine = { name: "greet", else_edge: { id: "edge-greet-else", to: [] } };
  assert.deepEqual(merged({ name: "ask" }, base, mine, ["id"]), { name: "greet" });
  const leading = { name: "greet", else_edge: { id: "edge-greet-else", to: ["bye"] } };
  assert.deepEqual(merged({ name: "ask" }, base, leading, ["id"]), leading);
});

test("merge() does not add a derived key to an object that lacks it", () => {
  const at = (x: number, prompt: string) => ({ id: "a", prompt, position: { x } });
  assert.deepEqual(merged([{ id: "a", prompt: "Hi" }], [at(1, "Hi")], [at(2, "Hi")], ["position"]), [
    { id: "a", prompt: "Hi" },
  ]);
  assert.deepEqual(merged([at(7, "Hi")], [at(7, "Hi")], [at(8, "Hi")], ["position"]), [at(8, "Hi")]);
  assert.deepEqual(merged([], [], [at(2, "Hi")], ["position"]), [at(2, "Hi")]);
});

test("merge() treats __proto__ as a plain key", () => {
  const original: unknown = JSON.parse('{"__proto__": {"a": 1}, "b": 1}');
  const mine: unknown = JSON.parse('{"__proto__": {"a": 2}, "b": 1}');
  assert.equal(JSON.stringify(merged(original, original, mine)), '{"__proto__":{"a":2},"b":1}');
});

test("merge() respells a changed text only if original, base and mine are texts", () => {
  const shape = {
    keys: ["id"],
    respell: (original: string, base: string, mine: string) => `${original}${base}${mine}`,
  };
  assert.equal(merge("{{a}}", "a", "b", shape), "{{a}}ab");
  assert.equal(merge("{{a}}", "a", 1, shape), 1);
  assert.equal(merge(1, "a", "b", shape), "b");
  assert.equal(merge("{{a}}", 1, "b", shape), "b");
});

test("merge() adds a list that the original lacks if other than derived keys of its items changed", () => {
  const shape = { keys: ["name"], derived: ["at"] };
  const list = (at: number, text: string) => ({ list: [{ name: "a", at, text }, "fixed"] });
  assert.deepEqual(merge({}, list(1, "old"), list(2, "old"), shape), {});
  assert.deepEqual(merge({}, list(1, "old"), list(2, "new"), shape), { list: [{ name: "a", at: 2, text: "new" }] });
  assert.deepEqual(merge({}, {}, { at: 1 }, { keys: [], defaults: ["at"] }), { at: 1 });
});
