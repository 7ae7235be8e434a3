import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message } from "../../../../src/document/transcript/mod.ts";
import { wantedText } from "../../../../src/run/calls/cluster/requests.ts";

/** What a caller wanted who says these lines. */
const wanted = (...lines: readonly string[]) =>
  wantedText(lines.map((content): Message => ({ role: "user", content, node_id: "", timestamp: "", metadata: {} })));

test("wantedText() ends with the line that tells enough", () => {
  assert.equal(
    wanted("Cancel.", "The order of yesterday arrived broken.", "It is a lamp."),
    "Cancel. The order of yesterday arrived broken.",
  );
});

test("wantedText() reads three lines and no courtesies", () => {
  assert.equal(wanted("Hello!", "Lamp.", "Broken.", "Thanks!", "Red.", "Tall."), "Lamp. Broken. Red.");
});

test("wantedText() counts the words of all lines, and reads no fourth line", () => {
  assert.equal(wanted("red lamp", "broken", "today"), "red lamp broken");
  assert.equal(wanted("It is.", "It was.", "It will.", "It can."), "It is. It was. It will.");
});

test("wantedText() puts words on one line, one space apart", () => {
  assert.equal(wanted("My lamp\n\n  is   broken today."), "My lamp is broken today.");
});

test("wantedText() is empty if nobody says anything, and has at most 400 characters", () => {
  assert.equal(wanted(), "");
  assert.equal(wanted("lamp ".repeat(200)).length, 400);
});
