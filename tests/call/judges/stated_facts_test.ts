import assert from "node:assert/strict";
import { test } from "node:test";
import { statedFacts } from "../../../src/call/judges/mod.ts";

/** Asserts which facts these lines state. */
function assertFacts(lines: readonly (readonly [words: string, ...facts: string[]])[]) {
  for (const [words, ...facts] of lines) {
    const found = statedFacts(words).map(({ kind, text }) => `${kind} ${text}`);
    assert.deepEqual(found, facts, words);
  }
}

test("statedFacts() finds e-mail addresses whole, with all parts of their domain", () => {
  assertFacts([
    ["Write to ann.berg+home@mail.example.co.uk.", "email ann.berg+home@mail.example.co.uk"],
    ["It is ann_1@a-b.example, or b@c.example", "email ann_1@a-b.example", "email b@c.example"],
    ["Meet me @ the desk"],
  ]);
});

test("statedFacts() finds codes: four letters and digits or more, with a capital and two digits", () => {
  assertFacts([
    ["It is B123", "code B123"],
    ["It is BX20941.", "code BX20941"],
    ["It is BX-20-941", "code BX-20-941"],
    ["It is 7XK-204", "code 7XK-204"],
    ["It is ax7B9", "code ax7B9"],
    ["It is B4-K7", "code B4-K7"],
    ["It is ÄÖ-204", "code ÄÖ-204"],
    ["I am at gate B12"],
    ["I sit in row B-12"],
    ["I take Vitamin-B6"],
    ["I have a room of type bx20"],
  ]);
});

test("statedFacts() finds numbers of four digits or more, also spoken or in groups", () => {
  assertFacts([
    ["It is 4815", "number 4815"],
    ["It is four eight one five", "number 4815"],
    ["Call 079 555/12-34", "number 079 555/12-34"],
    ["Call 555-12-34567", "number 555-12-34567"],
    ["It costs 10.305", "number 10.305"],
    ["Order 512026", "number 512026"],
    ["Order 202641", "number 202641"],
    ["Order 1899 or Order 2100", "number 1899", "number 2100"],
    ["You are open 24/7"],
    ["There are 123 of us"],
  ]);
});

test("statedFacts() keeps numbers of a list apart, and the groups of thousands together", () => {
  assertFacts([
    ["We are 12, 15 with the children"],
    ["The first is 123, 456 the second"],
    ["Rooms 12,14 and 25,26"],
    ["It costs 12,50"],
    ["There are 12 of us. 15 is too many"],
    ["On 5. 3. 2026"],
    ["Orders 4815, 1623 and 99", "number 4815", "number 1623"],
    ["It costs 1,250 or 1,234,567", "number 1,250", "number 1,234,567"],
    ["It is 4815,162", "number 4815"],
    ["It is 12,3456", "number 3456"],
    ["It is 4, 8, 1, 5", "number 4815"],
  ]);
});

test("statedFacts() takes times of day for no facts, however they are written", () => {
  for (const time of ["10:30", "9:05", "10.30", "10:30:15", "10.30:15"])
    for (const end of [
      "",
      ",",
      ".",
      "!",
      " ",
      " please",
      "am",
      "a.m.",
      "pm",
      " pm",
      "h",
      "uhr",
      " Uhr",
      "o'clock",
      "o’clock",
    ])
      assertFacts([[`At ${time}${end}`], [`For 12, ${time}${end}, 12 of us`]]);
});

test("statedFacts() takes dates and years for no facts", () => {
  for (const date of ["2026-03-05", "5/3/2026", "05.03.2026", "2026/3/5", "1999", "2026"])
    assertFacts([[`On ${date}`], [`On ${date} for 123 days`]]);
  assertFacts([["On 2026-03-05, 123 of us"]]);
});

test("statedFacts() keeps the numbers on both sides of an address, a code, a date or a time apart", () => {
  for (const [between, ...facts] of [
    ["ann@example.com", "email ann@example.com"],
    ["BX-20941", "code BX-20941"],
    ["5/3/2026"],
    ["10:30"],
  ] as const)
    assertFacts([[`4815, ${between}, 12 pieces`, ...facts, "number 4815"]]);
});
