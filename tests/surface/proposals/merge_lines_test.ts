import assert from "node:assert/strict";
import { test } from "node:test";
import { linesOf, mergeLines } from "../../../src/surface/proposals/merge_lines.ts";
import * as fc from "../../fast_check.ts";

const BASE = "one\ntwo\nthree\nfour\nfive\n";

test("mergeLines() keeps edits of both sides in different places", () => {
  const mine = BASE.replace("one", "1").replace("five\n", "five\nsix\n");
  assert.equal(mergeLines(BASE, mine, BASE.replace("three", "3")), "1\ntwo\n3\nfour\nfive\nsix\n");
});

test("mergeLines() refuses edits of the same line, of lines that touch, and insertions at one place", () => {
  const cases = [
    [BASE.replace("two", "2"), BASE.replace("two", "zwei")],
    [BASE.replace("two", "2"), BASE.replace("three", "3")],
    [BASE.replace("two\n", "two\na\n"), BASE.replace("two\n", "two\nb\n")],
    [BASE.replace("two\n", ""), BASE.replace("two", "2")],
    ["", BASE.replace("two", "2")],
    [BASE.replaceAll("\n", "\r\n"), BASE.replace("two", "2")],
    [BASE.trimEnd(), `${BASE}six\n`],
  ];
  for (const [mine, theirs] of cases)
    if (mine !== undefined && theirs !== undefined) assert.equal(mergeLines(BASE, mine, theirs), undefined, mine);
});

test("mergeLines() takes an edit that both sides made once", () => {
  const both = BASE.replace("two", "2");
  assert.equal(mergeLines(BASE, both, both), both);
  assert.equal(mergeLines(BASE, both, both.replace("five", "5")), both.replace("five", "5"));
});

/** Texts of few different lines, so that lines are repeated and move. */
const text = fc
  .array(fc.constantFrom("a\n", "b\n", "c\r\n", "\n", "d\n"), { maxLength: 12 })
  .chain((lines) => fc.constantFrom("", "end").map((end) => lines.join("") + end));

test("mergeLines() without an edit on one side is the other side", () => {
  fc.assert(
    fc.property(text, text, (base, other) => {
      assert.equal(mergeLines(base, base, other), other);
      assert.equal(mergeLines(base, other, base), other);
      assert.equal(mergeLines(base, other, other), other);
    }),
  );
});

test("mergeLines() says the same, whoever was first, and loses no line that a side added", () => {
  fc.assert(
    fc.property(text, text, text, (base, mine, theirs) => {
      const merged = mergeLines(base, mine, theirs);
      assert.equal(mergeLines(base, theirs, mine), merged);
      if (merged === undefined) return;
      const count = (lines: readonly string[], line: string) => lines.filter((each) => each === line).length;
      const all = [base, mine, theirs, merged].map(linesOf);
      for (const line of new Set(all.flat())) {
        const [inBase = 0, inMine = 0, inTheirs = 0, inMerged = 0] = all.map((lines) => count(lines, line));
        const least = Math.min(inMine, inTheirs, inMine + inTheirs - inBase);
        assert.ok(inMerged >= least, JSON.stringify({ base, mine, theirs, merged, line }));
      }
    }),
    { numRuns: 500 },
  );
});

test("mergeLines() joins edits that lines of the base keep apart exactly", () => {
  const change = fc.array(fc.constantFrom("x\n", "y\n"), { maxLength: 3 });
  fc.assert(
    fc.property(change, change, fc.boolean(), (first, second, isFirstMine) => {
      const parts = (one: readonly string[], other: readonly string[]) =>
        ["1\n", ...one, "2\n", "3\n", "4\n", ...other, "5\n"].join("");
      const base = parts(["p\n"], ["q\n"]);
      const [one, other] = [parts(first, ["q\n"]), parts(["p\n"], second)];
      const merged = isFirstMine ? mergeLines(base, one, other) : mergeLines(base, other, one);
      assert.equal(merged, parts(first, second));
    }),
  );
});
