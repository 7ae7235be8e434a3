import assert from "node:assert/strict";
import { test } from "node:test";
import {
  escapeMarkup,
  formatSeconds,
  jsonOrText,
  parsedJson,
  plural,
  quotedList,
  retryAfterMs,
  shorten,
  xmlCharacters,
} from "../../../src/base/values/mod.ts";

test("shorten() keeps a text of the maximum length, and never cuts a character in two", () => {
  assert.equal(shorten("abc", 3), "abc");
  assert.equal(shorten("abcd", 3), "abc…");
  assert.equal(shorten("ab😀d", 3), "ab…");
});

test("quotedList() lists all names, or as many as it may", () => {
  assert.equal(quotedList([]), "");
  assert.equal(quotedList(["a", "b"]), '"a", "b"');
  assert.equal(quotedList(["a", "b"], 2), '"a", "b"');
  assert.equal(quotedList(["a", "b", "c"], 2), '"a", "b" and 1 more');
});

test("plural() and formatSeconds() write amounts for people", () => {
  assert.deepEqual(
    [0, 1, 2, 1204].map((count) => plural(count, "turn")),
    ["0 turns", "1 turn", "2 turns", "1,204 turns"],
  );
  assert.equal(formatSeconds(12_440), "12.4 s");
});

test("retryAfterMs() reads seconds and dates, and nothing of a date that has passed", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  const read = (header: string | null | undefined) => retryAfterMs(header, now);
  assert.deepEqual([read("2"), read("0.5"), read("0")], [2000, 500, 0]);
  assert.equal(read("Thu, 01 Jan 2026 00:00:03 GMT"), 3000);
  assert.deepEqual(
    [null, undefined, "", " ", "soon", "-1", "Wed, 31 Dec 2025 23:59:59 GMT"].map(read),
    Array.from({ length: 7 }, () => undefined),
  );
});

test("parsedJson() and jsonOrText() read texts that may not be JSON", () => {
  assert.deepEqual([parsedJson('{"a":1}'), parsedJson("null"), parsedJson("no")], [{ a: 1 }, null, undefined]);
  assert.deepEqual([jsonOrText("[1]"), jsonOrText("null"), jsonOrText("no"), jsonOrText(5)], [[1], null, "no", 5]);
});

test("escapeMarkup() escapes all that XML reads, and xmlCharacters() replaces what it cannot hold", () => {
  assert.equal(escapeMarkup('<a b="c">&</a>'), "&lt;a b=&quot;c&quot;&gt;&amp;&lt;/a&gt;");
  assert.equal(xmlCharacters("a\u0000b\ud800c\n😀"), "a\ufffdb\ufffdc\n😀");
});
