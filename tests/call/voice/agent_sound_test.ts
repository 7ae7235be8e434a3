import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentSound } from "../../../src/call/voice/agent_sound.ts";
import { DEFAULT_TURNS } from "../../../src/call/voice/options.ts";
import { joined, RATE, silence, tone } from "./_tones.ts";

const sound = () => new AgentSound(RATE, DEFAULT_TURNS);

test("sound is placed at its arrival, and behind what was not played yet", () => {
  const agent = sound();
  agent.add(Int16Array.of(1, 2, 3), 10);
  agent.add(Int16Array.of(4, 5), 11);
  agent.add(Int16Array.of(6), 20);
  assert.deepEqual([...agent.read({ from: 9, until: 22 })], [0, 1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 6, 0]);
  assert.equal(agent.end, 21);
});

test("voice is found to the sample, in pieces of any length", () => {
  const whole = joined(silence(133), tone(440, 400), silence(200), tone(600, 300));
  for (const length of [whole.length, 160, 100, 1]) {
    const agent = sound();
    for (let at = 0; at < whole.length; at += length) agent.add(whole.slice(at, at + length), 1000);
    const { first, until } = agent.voiceAfter(0);
    assert.equal(first, 1000 + 133 * 8, `${length}`);
    // the last frame is not complete
    assert.ok(until <= 1000 + 1033 * 8 && until > 1000 + 1033 * 8 - 160, `${length}: ${until}`);
  }
});

test("voice after a place within it begins there", () => {
  const agent = sound();
  agent.add(tone(440, 400), 0);
  assert.deepEqual(agent.voiceAfter(800), { first: 800, until: 3200 });
  assert.deepEqual(agent.voiceAfter(3200), { first: undefined, until: 3200 });
  // less than 100 ms of it are left
  assert.equal(agent.voiceAfter(3000).first, undefined);
});

test("short voices make a turn together if less than the end of a turn lies between them", () => {
  const clicks = (gapMs: number) => {
    const agent = sound();
    agent.add(joined(tone(440, 60), silence(gapMs), tone(440, 60), silence(20)), 0);
    return agent.voiceAfter(0).first;
  };
  assert.equal(clicks(400), 0);
  assert.equal(clicks(600), undefined);
});

test("quiet sound is no voice", () => {
  const agent = sound();
  agent.add(tone(440, 1000, { level: 200 }), 0);
  assert.equal(agent.voiceAfter(0).first, undefined);
  agent.add(tone(440, 1000, { level: 400 }), 0);
  assert.ok(agent.voiceAfter(0).first);
});

test("clear() takes back what was not played", () => {
  const agent = sound();
  agent.add(tone(440, 500), 0);
  agent.add(tone(440, 500), 0);
  agent.add(tone(440, 500), 0);
  agent.clear(5000);
  assert.equal(agent.end, 5000);
  assert.equal(agent.voiceAfter(0).until, 5000);
  const read = agent.read({ from: 4990, until: 5010 });
  assert.deepEqual(
    [...read.slice(10)],
    Array.from({ length: 10 }, () => 0),
  );
  assert.ok(read[8] !== 0 || read[9] !== 0);
  agent.add(tone(600, 200), 5000);
  assert.equal(agent.voiceAfter(5000).first, 5000);
  agent.clear(9000); // all was played
  assert.equal(agent.end, 6600);
});

test("forget() drops what ends before a place", () => {
  const agent = sound();
  agent.add(tone(440, 500), 0);
  agent.add(tone(600, 500), 0);
  agent.forget(4500);
  assert.ok(agent.read({ from: 0, until: 4000 }).every((sample) => sample === 0));
  assert.ok(agent.read({ from: 4000, until: 8000 }).some((sample) => sample !== 0));
  assert.equal(agent.voiceAfter(0).until, 8000);
});
