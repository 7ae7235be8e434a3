import assert from "node:assert/strict";
import { test } from "node:test";
import { createKeyGate } from "../../../../src/surface/cli/io/mod.ts";

const BEGIN = "\u001b[200~";
const END = "\u001b[201~";

function startGate() {
  const forwarded: string[] = [];
  const state = { interrupts: 0 };
  const gate = createKeyGate(
    (text) => forwarded.push(text),
    () => {
      state.interrupts += 1;
    },
  );
  return { gate, forwarded, state };
}

test("a gate lets one line through, and keeps what is typed before the next prompt", () => {
  const { gate, forwarded } = startGate();
  gate.open();
  gate.feed("one\rtwo\r\nthr");
  assert.deepEqual(forwarded, ["one\r"]);
  gate.open();
  assert.deepEqual(forwarded, ["one\r", "two\r"]);
  gate.open();
  gate.feed("ee\r");
  assert.deepEqual(forwarded, ["one\r", "two\r", "thr", "ee\r"]);
});

test("a paste of several lines becomes one line, in whichever pieces it arrives", () => {
  const text = `say ${BEGIN}first\r\n\tsecond\u0007 line\nthird${END}!\u001b[A\r`;
  for (let size = 2; size <= text.length; size++) {
    const { gate, forwarded } = startGate();
    gate.open();
    for (let at = 0; at < text.length; at += size) gate.feed(text.slice(at, at + size));
    const line = forwarded.join("").replace(/first +second/, "first second");
    assert.equal(line, "say first second line third!\u001b[A\r", `in pieces of ${size}`);
  }
});

test("Ctrl-C while the gate is closed interrupts and discards what was typed; while it is open it is a key", () => {
  const { gate, forwarded, state } = startGate();
  gate.feed("typed\u0003\u0003ahead");
  assert.equal(state.interrupts, 2);
  gate.open();
  assert.deepEqual(forwarded, ["ahead"]);
  gate.feed("\u0003");
  assert.deepEqual(forwarded, ["ahead", "\u0003"]);
  assert.equal(state.interrupts, 2);
});
