import assert from "node:assert/strict";
import { test } from "node:test";
import { inOneDialect, parseScenarios } from "../../../src/document/scenario/mod.ts";

const read = (...patterns: readonly string[]) => {
  const { scenarios, unsure } = inOneDialect(
    parseScenarios(patterns.map((each) => ({ name: each, patterns: [each] }))),
  );
  return { patterns: scenarios.flatMap((each) => each.patterns), unsure: unsure.map(({ pattern }) => pattern) };
};

test("inOneDialect() reads patterns that could be globs or expressions as the file's other patterns", () => {
  assert.deepEqual(read("REF-[A-Z]*", "*HELLO*", "hel?o"), {
    patterns: ["glob:REF-[A-Z]*", "*HELLO*", "glob:hel?o"],
    unsure: [],
  });
  assert.deepEqual(read("colou?r", "\\d+ days", "thank you"), {
    patterns: ["re2:colou?r", "\\d+ days", "thank you"],
    unsure: [],
  });
});

test("inOneDialect() names patterns whose kind no other pattern tells, and leaves them as they are", () => {
  for (const others of [[], ["thank you"], ["*HELLO*", "\\d+"]])
    assert.deepEqual(read("hel?o", "REF-[A-Z]*", ...others), {
      patterns: ["hel?o", "REF-[A-Z]*", ...others],
      unsure: ["hel?o", "REF-[A-Z]*"],
    });
});

test("inOneDialect() has no doubt about prefixes, or about patterns that only one kind can mean", () => {
  for (const pattern of ["glob:hel?o", "re2:hel?o", "order.*confirmed", "REF-[A-Z0-9]+", "REF-*", "[A-Z]"])
    assert.deepEqual(read(pattern), { patterns: [pattern], unsure: [] });
});
