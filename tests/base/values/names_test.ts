import assert from "node:assert/strict";
import { test } from "node:test";
import {
  didYouMean,
  freeName,
  isTypoOf,
  Names,
  nearestName,
  nearLanguage,
  repeated,
  slug,
} from "../../../src/base/values/mod.ts";

test("nearestName() finds a name with few wrong letters, and none for another word", () => {
  const known = ["includes", "excludes", "patterns", "ends"];
  assert.equal(nearestName("include", known), "includes");
  assert.equal(nearestName("EXCLUDE", known), "excludes");
  assert.equal(nearestName("end", known), "ends");
  assert.equal(nearestName("pattrens", known), "patterns");
  assert.equal(nearestName("greeting", known), undefined);
  assert.equal(nearestName("ab", ["cd"]), undefined, "no letter in common");
  assert.equal(nearestName("ab", ["ac", "abc"]), "ac", "the first of equally near names");
  assert.equal(didYouMean("include", known, "Use another"), 'Did you mean "includes"?');
  assert.equal(didYouMean("greeting", known, "Use another"), "Use another");
});

test("isTypoOf() takes other casing, plurals, swapped letters and a wrong letter for a misspelling", () => {
  const typos: readonly (readonly [known: string, key: string, is: boolean])[] = [
    ["tool_mocks", "toolMocks", true],
    ["tool_mocks", "tool_mock", true],
    ["right", "rigth", true],
    ["ends", "edns", true],
    ["state_prompt", "state_promt", true],
    ["state_prompt", "stat_promt", true],
    ["state_prompt", "sta_promt", false],
    ["judge", "judga", true],
    ["judge", "jodga", false],
    ["ends", "enda", false],
    ["ends", "ends", false],
    ["type", "_type", false],
    ["metrics", "//metrics", false],
    ["id", "di", false],
    ["name", "mean", false],
  ];
  for (const [known, key, is] of typos) assert.equal(isTypoOf(known, key), is, `${key} for ${known}`);
});

test("freeName() and Names add a number to a name that is taken, within the limit", () => {
  const taken = new Set(["desk", "desk-2", "desk_2"]);
  const free = (name: string, options?: Parameters<typeof freeName>[2]) =>
    freeName(name, (each) => taken.has(each), options);
  assert.deepEqual([free("bar"), free("desk"), free("desk", { joint: "_" })], ["bar", "desk-3", "desk_3"]);
  assert.deepEqual([free("desktop", { limit: 4 }), free("barista", { limit: 3 })], ["de-2", "bar"]);
  const names = new Names(["a"], { joint: "." });
  assert.deepEqual(
    ["a", "a", "b"].map((each) => names.take(each)),
    ["a.2", "a.3", "b"],
  );
  assert.deepEqual([names.take("abcdef", 3), names.take("abcdef", 3), names.take("abcdef")], ["abc", "a.4", "abcdef"]);
});

test("nearLanguage() prefers the same tag, then the language, its home region and any other", () => {
  const known = ["en-GB", "en-US", "de-AT", "de-DE", "pt-BR", "fr", "multi"];
  const near: readonly (readonly [tag: string, found: string | undefined])[] = [
    ["EN-gb", "en-GB"],
    ["en", "en-US"],
    ["en-AU", "en-US"],
    ["de", "de-DE"],
    ["de_CH", "de-DE"],
    ["fr-CA", "fr"],
    ["pt", "pt-BR"],
    ["it", undefined],
  ];
  for (const [tag, found] of near) assert.equal(nearLanguage(known, tag), found, tag);
});

test("repeated() and slug() read names", () => {
  assert.deepEqual([...repeated(["a", "b", "a", "c", "b", "a"])], ["a", "b"]);
  assert.deepEqual(["Work out discount", "__a-b__", "é!"].map(slug), ["Work_out_discount", "a-b", ""]);
});
