import assert from "node:assert/strict";
import { test } from "node:test";
import { merge } from "../../../platforms/lens/mod.ts";
import { fc } from "../../properties.ts";

const SHAPE = { keys: ["id", "name"] };
const json = fc.jsonValue({ maxDepth: 4 }).map((value): unknown => JSON.parse(JSON.stringify(value)));

function merged(original: unknown, base: unknown, mine: unknown, derived: readonly string[] = []): unknown {
  return merge(original, base, mine, { ...SHAPE, derived });
}

test("merge() leaves the original as it is where nothing changed, whatever emitting makes of it", () => {
  fc.assert(
    fc.property(json, json, (original, base) => assert.equal(merged(original, base, base), original)),
    {
      numRuns: 300,
    },
  );
});

test("merge() gives the new document where emitting knows all of the original", () => {
  fc.assert(
    fc.property(json, json, (original, mine) => assert.deepEqual(merged(original, original, mine), mine)),
    {
      numRuns: 500,
    },
  );
});

test("merge() keeps keys that emitting does not know, and the order of keys", () => {
  const original = { z: 1, secret_setting: { on: true }, prompt: "Hi", a: [] };
  const written = merged(original, { a: [], prompt: "Hi", z: 1 }, { a: [], prompt: "Hello", z: 1 });
  assert.equal(JSON.stringify(written), JSON.stringify({ ...original, prompt: "Hello" }));
});

test("merge() does not add defaults that emitting writes and the original lacked", () => {
  assert.deepEqual(merged({ a: 1 }, { a: 1, speed: 1 }, { a: 2, speed: 1 }), { a: 2 });
  assert.deepEqual(merged({ a: 1 }, { a: 1, speed: 1 }, { a: 1, speed: 2 }), { a: 1, speed: 2 });
});

test("merge() leaves the original's spelling of a setting that did not change", () => {
  const original = { tools: null, n: "1", list: "one" };
  const base = { tools: [], n: 1, list: ["one"] };
  assert.deepEqual(merged(original, base, { ...base, n: 2 }), { ...original, n: 2 });
});

test("merge() takes a setting out that was removed, and keeps list items that emitting does not know", () => {
  const original = { a: 1, keep: 1, tools: [{ id: "t" }, "odd"] };
  assert.deepEqual(merged(original, { a: 1, tools: [{ id: "t" }] }, {}), { keep: 1, tools: ["odd"] });
  assert.deepEqual(merged({ tools: [{ id: "t" }] }, { tools: [{ id: "t" }] }, {}), {});
});

test("merge() puts a new key behind the key that it follows in the emitted document", () => {
  const base = { a: 1, b: 2 };
  assert.equal(JSON.stringify(merged({ b: 2, x: 0, a: 1 }, base, { a: 1, n: 5, b: 2 })), '{"b":2,"x":0,"a":1,"n":5}');
  assert.equal(JSON.stringify(merged({ b: 2, x: 0, a: 1 }, base, { n: 5, a: 1, b: 2 })), '{"b":2,"x":0,"a":1,"n":5}');
});

test("merge() keeps unknown keys of an object that moved, and of one that was renamed", () => {
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

test("merge() puts a new item behind its neighbour, also where the original has another order than emitting", () => {
  const ids = (...names: readonly string[]) => names.map((id) => ({ id, type: id.repeat(3) }));
  assert.deepEqual(
    merged(ids("c", "a", "b"), ids("a", "b", "c"), ids("a", "new", "b", "c")),
    ids("c", "a", "new", "b"),
  );
  assert.deepEqual(merged(ids("c", "a", "b"), ids("a", "b", "c"), ids("new", "b", "c")), ids("new", "c", "b"));
});

test("merge() keeps items that emitting does not know where they stand", () => {
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

test("merge() does not add an object that the original lacked because a derived key in it has changed", () => {
  const base = { name: "ask", else_edge: { id: "edge-ask-else", to: [] } };
  const mine = { name: "greet", else_edge: { id: "edge-greet-else", to: [] } };
  assert.deepEqual(merged({ name: "ask" }, base, mine, ["id"]), { name: "greet" });
  const leading = { name: "greet", else_edge: { id: "edge-greet-else", to: ["bye"] } };
  assert.deepEqual(merged({ name: "ask" }, base, leading, ["id"]), leading);
});

test("merge() does not add a derived key to an object that came without it", () => {
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

test("merge() writes a changed text in the original's spelling, and only if all three are texts", () => {
  const shape = {
    keys: ["id"],
    respell: (original: string, base: string, mine: string) => `${original}${base}${mine}`,
  };
  assert.equal(merge("{{a}}", "a", "b", shape), "{{a}}ab");
  assert.equal(merge("{{a}}", "a", 1, shape), 1);
  assert.equal(merge(1, "a", "b", shape), "b");
  assert.equal(merge("{{a}}", 1, "b", shape), "b");
});

test("merge() adds a list that the original lacked when more than derived keys of its items have changed", () => {
  const shape = { keys: ["name"], derived: ["at"] };
  const list = (at: number, text: string) => ({ list: [{ name: "a", at, text }, "fixed"] });
  assert.deepEqual(merge({}, list(1, "old"), list(2, "old"), shape), {});
  assert.deepEqual(merge({}, list(1, "old"), list(2, "new"), shape), { list: [{ name: "a", at: 2, text: "new" }] });
  assert.deepEqual(merge({}, {}, { at: 1 }, { keys: [], defaults: ["at"] }), { at: 1 });
});
