import assert from "node:assert/strict";
import { test } from "node:test";
import { compareWords, lostItems, wordErrorRate } from "../../../src/call/audio/mod.ts";

const rate = (written: string, heard: string) => wordErrorRate(compareWords(written, heard));

const EQUAL: readonly (readonly [written: string, heard: string])[] = [
  ["Call 555-0123.", "call five five five zero one two three"],
  ["Call 555-0123.", "Call 5550123"],
  ["Code 5577.", "code double five double seven"],
  ["The total is $1,200.", "the total is twelve hundred dollars"],
  ["The total is $1,200.", "the total is one thousand two hundred dollars"],
  ["It costs $1.05.", "it costs one dollar and five cents"],
  ["Your code is 4021.", "your code is forty twenty one"],
  ["Your code is 4021.", "your code is four oh two one"],
  ["In 1984 and 2026", "in nineteen eighty four and two thousand twenty six"],
  ["See you at 9:30 a.m. on May 3rd", "see you at nine thirty a m on may third"],
  ["At 9:00, at 9:05", "at nine o'clock at nine oh five"],
  ["3.5% of 1,000,000", "three point five percent of one million"],
  ["A hundred and five people in 3 offices", "one hundred five people in three offices"],
  ["Zürich, IBM, Dr. Müller", "zurich i b m doctor muller"],
  ["anna.miller@example.com", "anna dot miller at example dot com"],
  ["I'm here — don't wait!", "im here dont wait"],
];

test("speech that was heard right has no word errors and no lost items, whatever form its numbers have", () => {
  for (const [written, heard] of EQUAL) {
    assert.deepEqual([written, rate(written, heard), lostItems(written, heard)], [written, 0, []]);
  }
});

test("the word error rate counts replaced, missing and added words per written word", () => {
  assert.equal(rate("one car and two trucks", "one car and two ducks"), 1 / 5);
  assert.equal(rate("your order arrives today", "your arrives"), 2 / 4);
  assert.equal(rate("stop", "please stop it now"), 3);
  assert.equal(rate("your order", ""), 1);
  assert.equal(rate("", ""), 0);
});

test("the word diff names what is missing and what was added, in order", () => {
  assert.deepEqual(compareWords("Your order 555 arrives today.", "your order five five nine arrives").changes, [
    { kind: "same", words: "your order" },
    { kind: "missing", words: "555" },
    { kind: "added", words: "559" },
    { kind: "same", words: "arrives" },
    { kind: "missing", words: "today" },
  ]);
});

test("lost items are the numbers, names and e-mail addresses that were not heard", () => {
  const written = "Thanks, Anna Miller. Order 4021 for $1,200 goes to anna@example.com on Tuesday.";
  const heard =
    "thanks ana miller order four oh two nine for twelve hundred dollars goes to anna at example dot com on chooses day";
  assert.deepEqual(lostItems(written, heard), [
    { kind: "number", written: "4021" },
    { kind: "name", written: "Anna Miller" },
    { kind: "name", written: "Tuesday" },
  ]);
  assert.deepEqual(lostItems(written, ""), [
    { kind: "number", written: "4021" },
    { kind: "number", written: "$1,200" },
    { kind: "name", written: "Anna Miller" },
    { kind: "name", written: "Tuesday" },
    { kind: "email", written: "anna@example.com" },
  ]);
});

test("a number that is heard in another place does not stand in for a lost one", () => {
  assert.deepEqual(lostItems("Room 12 is free, room 34 is not.", "room is free room one two is not"), [
    { kind: "number", written: "12" },
    { kind: "number", written: "34" },
  ]);
});

test("the first word of a sentence is a name only where the call knows it", () => {
  assert.deepEqual(lostItems("Sure. Anna, one moment.", "sure and a moment"), []);
  assert.deepEqual(lostItems("Sure. Anna, one moment.", "sure and a moment", ["Anna"]), [
    { kind: "name", written: "Anna" },
  ]);
});

test("names and addresses survive where only their spaces differ", () => {
  assert.deepEqual(
    lostItems("It is for McDonald at annamiller@example.com", "it is for mc donald at anna miller at example dot com"),
    [],
  );
});
