import assert from "node:assert/strict";
import { test } from "node:test";
import { otherChanges } from "../../../../src/agent/analysis/diff/changes/other_changes.ts";

const messagesOf = (before: unknown, after: unknown) =>
  otherChanges(before, after, { path: ["list"] }).map(({ message }) => message);

test("otherChanges() names only the item that a list has lost, at its start, within it or at its end", () => {
  assert.deepEqual(messagesOf([1, 2, 3], [2, 3]), ["list.0 is gone, was 1"]);
  assert.deepEqual(messagesOf([1, 2, 3], [1, 3]), ["list.1 is gone, was 2"]);
  assert.deepEqual(messagesOf([1, 2, 3], [1, 2]), ["list.2 is gone, was 3"]);
  assert.deepEqual(messagesOf([1, 2, 3, 4], [1, 4]), ["list.1 is gone, was 2", "list.2 is gone, was 3"]);
});

test("otherChanges() names only the item that is new in a list, also beside an equal one", () => {
  assert.deepEqual(messagesOf([1, 2], [3, 1, 2]), ["list.0 is new: 3"]);
  assert.deepEqual(messagesOf([1, 2], [1, 2, 2]), ["list.2 is new: 2"]);
  assert.deepEqual(messagesOf([1, 4], [1, 2, 3, 4]), ["list.1 is new: 2", "list.2 is new: 3"]);
});

test("otherChanges() compares the items of lists of equal length one by one", () => {
  assert.deepEqual(messagesOf([1, { a: 1, b: 2 }, 3], [1, { a: 1, b: 5 }, 3]), ["list.1.b is 5 instead of 2"]);
  assert.deepEqual(messagesOf([1, 2, 3, 4], [1, 5, 6, 4]), ["list.1 is 5 instead of 2", "list.2 is 6 instead of 3"]);
});

test("otherChanges() reports a list that was or is now empty as a whole", () => {
  assert.deepEqual(messagesOf([], [1, 2]), ["list is new: [1,2]"]);
  assert.deepEqual(messagesOf([1, 2], []), ["list is gone, was [1,2]"]);
  assert.deepEqual(messagesOf([1, 2], "1"), ['list is "1" instead of [1,2]']);
});

test("otherChanges() tells null and an empty object in a list apart", () => {
  assert.deepEqual(messagesOf([1, null, 3], [1, {}, 3]), ["list.1 is new: {}"]);
});

test("otherChanges() reports a position on a canvas once, as a change of the layout", () => {
  const path = ["display_position"];
  const [change, ...others] = otherChanges({ x: 1, y: 2 }, { x: 3, y: 4 }, { path });
  assert.deepEqual(others, []);
  assert.deepEqual(
    [change?.kind, change?.message],
    ["layout-changed", "Position on the canvas changed: display_position"],
  );
});

test("otherChanges() compares long texts word by word, and no short ones or values that are no texts", () => {
  const wordsOf = (before: unknown, after: unknown) => otherChanges(before, after, { path: ["a"] })[0]?.words;
  assert.deepEqual(wordsOf("Ask the caller for the day.", "Ask the caller for the hour."), [
    { change: "same", text: "Ask the caller for the " },
    { change: "removed", text: "day" },
    { change: "added", text: "hour" },
    { change: "same", text: "." },
  ]);
  assert.equal(wordsOf("short", "text"), undefined);
  assert.equal(wordsOf("twenty characters ok", "twenty characters no"), undefined);
  assert.equal(wordsOf("twenty characters ok", "twenty characters not")?.length, 3);
  assert.equal(wordsOf("a long text of more than forty characters", ["a list"]), undefined);
  assert.equal(wordsOf("a long text of more than forty characters", 5), undefined);
});
