import assert from "node:assert/strict";
import { test } from "node:test";
import {
  code,
  edge,
  listedNames,
  shortQuote,
  shownValue,
  textParts,
  transitionPhrase,
} from "../../../../src/agent/analysis/diff/change_kinds.ts";
import { always, end, graphOf, llm, onTool, when, whenAll } from "../_graphs.ts";

test("quote() puts a text on one line, and shortens it between words to at most 70 characters", () => {
  assert.equal(shortQuote("  Hello,\n\n  caller. "), '"Hello, caller."');
  assert.equal(shortQuote("a".repeat(70)), `"${"a".repeat(70)}"`);
  assert.equal(shortQuote("a".repeat(71)), `"${"a".repeat(69)}…"`);
  assert.equal(shortQuote(`${"a".repeat(60)} ${"b".repeat(20)}`), `"${"a".repeat(60)}…"`);
  assert.equal(
    shortQuote(`${"a".repeat(40)} ${"b".repeat(27)} ${"c".repeat(9)}`),
    `"${"a".repeat(40)} ${"b".repeat(27)}…"`,
  );
  assert.equal(shortQuote("🚲".repeat(71)), `"${"🚲".repeat(69)}…"`);
});

test("shownValue() shows texts in quotes and other values as JSON", () => {
  assert.equal(shownValue("a"), '"a"');
  assert.equal(shownValue({ a: [1, null] }), '{"a":[1,null]}');
  assert.equal(shownValue(undefined), "nothing");
});

test("listed() names five names, and how many more there are", () => {
  assert.equal(listedNames([]), "");
  assert.equal(listedNames(["a"]), '"a"');
  assert.equal(listedNames(["a", "b"]), '"a" and "b"');
  assert.equal(listedNames(["a", "b", "c", "d", "e"]), '"a", "b", "c", "d" and "e"');
  assert.equal(listedNames(["a", "b", "c", "d", "e", "f", "g"]), '"a", "b", "c", "d", "e" and 2 more');
});

test("transitionWords() says when a transition is taken", () => {
  const tool = (value: string, outcome?: string) => {
    const { condition, ...rest } = onTool("b", outcome);
    return { ...rest, condition: { ...condition, value } };
  };
  const rows = [
    [llm("b", "Done"), 'when "Done"'],
    [when("b", "age", ">", 1), "when `age > 1`"],
    [
      whenAll("b", { left: "age", operator: ">", right: 1 }, { left: "plan", operator: "exists" }),
      "when `age > 1` and `plan exists`",
    ],
    [whenAll("b"), "when no equation"],
    [tool("book", "failed"), 'when tool "book" fails'],
    [tool("book", "succeeded"), 'when tool "book" succeeds'],
    [tool("book"), 'when tool "book" has answered'],
    [tool("", "failed"), "when the tool fails"],
    [always("b"), "always"],
    [always("b", { timing: "else" }), "otherwise"],
    [always("b", { timing: "skip_response" }), "at once"],
  ] as const;
  for (const [transition, words] of rows) {
    const [parsed] = graphOf({ a: { transitions: [transition] }, b: end }).nodes.a?.transitions ?? [];
    assert.equal(parsed && transitionPhrase(parsed), words);
  }
});

test("code() and edge() mark code and edges, also with such marks in them", () => {
  assert.equal(code("name == `x`"), "`name == 'x'`");
  assert.equal(edge("a", "b"), '"a" → "b"');
});

test("textParts() shows texts that differ almost everywhere as replaced, without empty parts", () => {
  const words = (letter: string) => Array.from({ length: 700 }, (_, index) => `${letter}${index}`).join(" ");
  const [before, after] = [words("a"), words("b")];
  assert.deepEqual(textParts(before, after), [
    { change: "removed", text: before },
    { change: "added", text: after },
  ]);
  assert.deepEqual(textParts(before, ""), [{ change: "removed", text: before }]);
});
