import assert from "node:assert/strict";
import { test } from "node:test";
import { compilePattern } from "../../../src/call/judges/mod.ts";

const KINDS = [
  ["REF-[A-Z0-9]+", "re2"],
  ["order.*confirmed", "re2"],
  ["colou?r", "re2"],
  ["(?i)thank you", "re2"],
  ["[0-9]*5", "re2"],
  ["\\d{3}-\\d{4}", "re2"],
  ["plain words", "re2"],
  ["(ab)*", "re2"],
  ["re2:ab*c", "re2"],
  ["REF-*", "glob"],
  ["*confirmed*", "glob"],
  ["your * is confirmed", "glob"],
  ["REF-??", "glob"],
  ["?ello", "glob"],
  ["* costs $20 (net)", "glob"],
  ["glob:colou?r", "glob"],
] as const;

test("compilePattern() distinguishes globs from RE2 expressions", async () => {
  for (const [source, kind] of KINDS) assert.equal((await compilePattern(source)).kind, kind, source);
});

const MATCHES = [
  ["REF-[A-Z0-9]+", "It is REF-A7.", true],
  ["REF-[A-Z0-9]+", "It is ref-a7.", false],
  ["(?i)REF-[A-Z0-9]+", "It is ref-a7.", true],
  ["^Hello", "Oh, Hello", false],
  ["REF-*", "It is REF-A7.", true],
  ["REF-*", "It is REF A7.", false],
  ["your * is confirmed", "Well, your order\nA7 is confirmed.", true],
  ["REF-??.", "REF-A7!", false],
  ["glob:REF-[A-C][!0-6]", "REF-B7", true],
  ["glob:REF-[A-C][!0-6]", "REF-B6", false],
  ["glob:REF-[A-C][!0-6]", "REF-D7", false],
  ["glob:2 + 2 = [4]", "2 + 2 = 4", true],
  ["glob:a.c", "abc", false],
  ["glob:\\*\\*", "** stars", true],
  ["glob:\\*\\*", "no stars", false],
  ["glob:[", "an open [ bracket", true],
  ["glob:[\\d]", "5", false],
  ["* costs $20 (net)", "It costs $20 (net)", true],
  ["glob:??", "😀", false],
  ["glob:?", "😀", true],
  ["glob:(?i)REF-?", "ref-a", true],
] as const;

test("compilePattern() matches anywhere and case-sensitively", async () => {
  for (const [source, text, matches] of MATCHES) {
    assert.equal((await compilePattern(source)).matches(text), matches, `${source} in ${text}`);
  }
});

const SPELLINGS = [
  ["hel?o", "Well, hello.", "glob:hel?o"],
  ["*HELLO*", "Hello.", "glob:(?i)*HELLO*"],
  ["REF-[0-9]+", "ref-7", "(?i)REF-[0-9]+"],
  ["REF-[0-9]+", "no reference", undefined],
  ["re2:hel?o", "hello", undefined],
] as const;

test("spellingFor() names the pattern that would have matched", async () => {
  for (const [source, text, spelling] of SPELLINGS) {
    const pattern = await compilePattern(source);
    assert.deepEqual([pattern.matches(text), pattern.spellingFor(text)], [false, spelling], source);
  }
});

test("compilePattern() rejects expressions that RE2 cannot parse", async () => {
  for (const source of ["REF-(", "[a-", "(?=x)", "(a)\\1", "re2:*"]) {
    await assert.rejects(compilePattern(source), { name: "ScenarioError", code: "invalid-pattern" }, source);
  }
});

test("compilePattern() takes linear time where backtracking would never end", async () => {
  const text = `${"a".repeat(50_000)}!`;
  for (const source of ["^(a+)+$", "(a|aa)+$", "(.*a){12}b", "glob:*a*a*a*a*a*a*a*b"]) {
    assert.equal((await compilePattern(source)).matches(text), false, source);
  }
});
