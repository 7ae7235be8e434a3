import assert from "node:assert/strict";
import { test } from "node:test";
import {
  functionSlug,
  isEmpty,
  memberNames,
  toolName,
  variableSlug,
} from "../../../../platforms/vapi/compile/common/mod.ts";
import { clip, Names } from "../../../../src/base/values/mod.ts";

test("Names numbers names that are taken, within their maximum length", () => {
  const pool = new Names([], { joint: "_" });
  const taken = ["find", "find", "find_order", "find_order", "find_order"].map((name) => pool.take(name, 6));
  assert.deepEqual(taken, ["find", "find_2", "find_o", "find_3", "find_4"]);
});

test("clip() splits no character", () => {
  assert.deepEqual(
    [clip("abc", 3), clip("abcd", 3), clip("ab😀", 3), clip("ab😀", 4), clip("abc", -1)],
    ["abc", "abc", "ab", "ab😀", ""],
  );
});

test("functionSlug() keeps letters, digits, _ and -, and is never empty", () => {
  assert.deepEqual(
    [functionSlug("Café: book a table!"), functionSlug("a-b_c 1"), functionSlug("!?"), functionSlug("  x  ")],
    ["Cafe_book_a_table", "a-b_c_1", "node", "x"],
  );
});

test("variableSlug() begins with a letter and has no hyphen", () => {
  assert.deepEqual(
    [variableSlug("order-number"), variableSlug("2nd"), variableSlug("_x")],
    ["order_number", "v_2nd", "x"],
  );
});

test("nameMembers() keeps ids that Vapi accepts, and names the others around them", () => {
  const names = memberNames([" ask", "ask", "", "a".repeat(100)]);
  assert.deepEqual([...names.entries()].slice(0, 3), [
    ["ask", "ask"],
    [" ask", "ask_2"],
    ["", "node"],
  ]);
  assert.equal(names.get("a".repeat(100)), "a".repeat(40));
});

test("toolName() reads the name of a function, else the tool's own", () => {
  assert.equal(toolName({ type: "function", function: { name: "find" }, name: "other" }), "find");
  assert.equal(toolName({ type: "apiRequest", name: "book" }), "book");
  assert.equal(toolName({ type: "endCall", function: {} }), undefined);
  assert.equal(toolName("find"), undefined);
});

test("isEmpty() is true for settings that are off", () => {
  for (const value of [undefined, null, false, "", {}, []]) assert.equal(isEmpty(value), true, JSON.stringify(value));
  for (const value of [0, true, "a", { a: null }, [0]]) assert.equal(isEmpty(value), false, JSON.stringify(value));
});
