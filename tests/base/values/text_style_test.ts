import assert from "node:assert/strict";
import { test } from "node:test";
import { cut, oneLine, PLAIN, pad, paint, styleFor, terminalWidth, wrap } from "../../../src/base/values/mod.ts";

test("only terminals have colours and a width of their own, within limits", () => {
  const style = (stream: Parameters<typeof styleFor>[0], env = {}) => {
    const { color, width } = styleFor(stream, env);
    return [color, width];
  };
  assert.deepEqual(style({ isTTY: true, columns: 120 }), [true, 120]);
  assert.deepEqual(style({ isTTY: true, columns: 10 }), [true, 40]);
  assert.deepEqual(style({ isTTY: true, columns: 1_000 }), [true, 160]);
  assert.deepEqual(style({ isTTY: true }), [true, PLAIN.width]);
  assert.deepEqual(style({ columns: 120 }), [false, PLAIN.width]);
  assert.deepEqual(style({ isTTY: true, columns: 80 }, { NO_COLOR: "1" }), [false, 80]);
  assert.deepEqual(style({ isTTY: true, columns: 80 }, { NO_COLOR: "" }), [true, 80]);
  assert.deepEqual(style({ isTTY: true, columns: 80 }, { TERM: "dumb" }), [false, 80]);
  for (const wrong of [undefined, null, "stdout"])
    assert.throws(() => styleFor(JSON.parse(JSON.stringify(wrong ?? null)), {}), {
      code: "invalid-option",
      path: ["stream"],
    });
  assert.throws(() => styleFor({}, JSON.parse("null")), { code: "invalid-option", path: ["env"] });
});

test("paint() colours texts where there are colours, but no empty ones", () => {
  const style = { color: true, width: 80 };
  assert.equal(paint(style, "red", "no"), "\u001b[31mno\u001b[0m");
  assert.equal(paint(style, "red", ""), "");
  assert.equal(paint(PLAIN, "red", "no"), "no");
});

test("oneLine() leaves nothing that moves the cursor or turns the text around", () => {
  assert.equal(oneLine("  a\n\tb  c "), "a b c");
  assert.equal(oneLine("a\u001b[2Jb\u202ec\u0000"), "a\ufffd[2Jb\\u{202e}c\ufffd");
});

test("texts are cut, padded and measured by their columns on a terminal", () => {
  assert.deepEqual(["abc", "日本", "😀", "e\u0301", ""].map(terminalWidth), [3, 4, 2, 1, 0]);
  assert.deepEqual(
    [cut("abcd", 4), cut("abcd", 3), cut("日本語", 6), cut("日本語", 5), cut("日本語", 4)],
    [...["abcd", "ab…", "日本語", "日本…", "日…"]],
  );
  assert.deepEqual([pad("ab", 4), pad("abcde", 4), pad("日本", 5)], ["ab  ", "abc…", "日本 "]);
});

test("wrap() breaks lines between words, and words that are longer than a line", () => {
  const style = { color: false, width: 24 };
  assert.deepEqual(wrap(style, "one two three four five six", 4), ["    one two three four", "    five six"]);
  assert.deepEqual(wrap(style, "one two", 4, "1.  "), ["1.  one two"]);
  assert.deepEqual(wrap(style, "one two three four five", 4, "1.  "), ["1.  one two three four", "    five"]);
  assert.deepEqual(wrap(style, "12345678901234567890", 4), ["    12345678901234567890"]);
  assert.deepEqual(wrap(style, `a ${"x".repeat(25)} b`, 4), ["    a", `    ${"x".repeat(20)}`, "    xxxxx b"]);
  assert.deepEqual(wrap(style, "日本語日本語日本語日本語", 4), ["    日本語日本語日本語日", "    本語"]);
  assert.deepEqual(wrap(style, "", 2), ["  "]);
  assert.deepEqual(wrap({ color: false, width: 10 }, "twenty columns at least", 4), [
    "    twenty columns at",
    "    least",
  ]);
});
