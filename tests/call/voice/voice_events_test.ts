import assert from "node:assert/strict";
import { test } from "node:test";
import { TEXT_ONLY } from "../../../src/call/connection/mod.ts";
import { type VoiceWire, voiceConnection, type WireEvent } from "../../../src/call/voice/mod.ts";
import { openOptions } from "../../platforms/twilio/talk/_simulated.ts";
import { TestClock } from "../../test_clock.ts";
import { HUMMING, joined, RATE, silence, tone } from "./_tones.ts";

/** What arrives from the agent, by the milliseconds of the call; `undefined` closes the connection. */
type Plan = readonly (readonly [atMs: number, event: WireEvent | undefined])[];

/** A call over a wire whose events are planned, in simulated time. */
async function openCall(plan: Plan, start?: string) {
  const clock = new TestClock();
  let sentMs = 0;
  let next = 0;
  let wake = () => {};
  let at = start ?? "";
  const setup = start === undefined ? {} : { node: () => at };
  const wire: VoiceWire = {
    rate: RATE,
    send: (samples, place) => {
      sentMs = ((place + samples.length) / RATE) * 1000;
      wake();
    },
    receive: async ({ signal }) => {
      for (;;) {
        signal.throwIfAborted();
        const [atMs = 0, event] = plan[next] ?? [Number.POSITIVE_INFINITY];
        if (atMs <= sentMs) {
          next += 1;
          if (event?.kind === "did" && event.event.kind === "node") at = event.event.node;
          return event;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener("abort", () => resolve(), { once: true });
        });
      }
    },
    hangUp: async () => {},
  };
  const facts = { name: "planned", capabilities: { ...TEXT_ONLY, text: false, voice: true, opening: true } };
  const dial = async () => ({ callId: "call", wire, ...setup });
  const connection = voiceConnection(facts, {}, { dial, voice: HUMMING, clock });
  const done = async <Result>(work: Promise<Result>): Promise<Result> => {
    const settled = await clock.advanceUntilDone(work, 1);
    if (settled.status === "rejected") throw settled.reason;
    return settled.value;
  };
  const call = await done(connection.open(openOptions()));
  return { call, done, clock };
}

const sound = (...parts: readonly Int16Array[]): WireEvent => ({ kind: "sound", samples: joined(...parts) });
const tool = (name: string): WireEvent => ({ kind: "did", event: { kind: "tool", call: { name, arguments: {} } } });
const words = (text: string, more: object = {}): WireEvent => ({ kind: "words", by: "agent", text, ...more });

test("a turn goes on while the agent is busy, and what it did stands between the words", async () => {
  const { call } = await openCall([
    [100, words("One moment, please.")],
    [100, sound(tone(1000, 400))],
    [300, { kind: "busy", on: true }],
    [4_000, tool("look_up")],
    [4_000, words("Monday!")],
    [4_500, sound(tone(600, 400))],
    [4_500, { kind: "busy", on: false }],
  ]);
  assert.deepEqual(call.opening.events, [
    { kind: "says", text: "One moment.", reported: "One moment, please." },
    { kind: "tool", call: { name: "look_up", arguments: {} } },
    { kind: "says", text: "It arrives on Monday.", reported: "Monday!" },
  ]);
});

test("without being busy, the same pause ends the turn", async () => {
  const { call } = await openCall([
    [100, sound(tone(1000, 400))],
    [4_500, sound(tone(600, 400))],
  ]);
  assert.deepEqual(call.opening.events, [{ kind: "says", text: "One moment." }]);
});

test("sound is not divided within a word", async () => {
  const { call } = await openCall([
    [100, sound(tone(600, 400), silence(100), tone(600, 200), silence(300), tone(800, 400))],
    [120, tool("look_up")],
  ]);
  // the tool was called before most of the sound was played: it stands behind what had arrived
  assert.deepEqual(
    call.opening.events.map((event) => (event.kind === "says" ? event.text : event.kind)),
    ["It arrives on Monday. Goodbye!", "tool"],
  );
  const middle = await openCall([
    [100, sound(tone(600, 300))],
    [420, tool("look_up")],
    [420, sound(tone(600, 300), silence(300), tone(800, 300))],
  ]);
  assert.deepEqual(
    middle.call.opening.events.map((event) => (event.kind === "says" ? event.text : event.kind)),
    ["It arrives on Monday.", "tool", "Goodbye!"],
  );
});

test("an agent that lets its turn pass says nothing, and one that is silent is an error", async () => {
  const passes = await openCall([[500, { kind: "passes" }]]);
  assert.deepEqual(passes.call.opening, { events: [] });
  await assert.rejects(openCall([]), /\(silence\)/);
});

test("a correction replaces the words before it, and words without a sound wait for theirs", async () => {
  const { call, done } = await openCall([
    [100, words("It arrives on Monday, and more.")],
    [100, sound(tone(600, 400))],
    [900, words("It arrives on", { corrects: true })],
    [1_150, words("Bye.")],
    [3_000, sound(tone(800, 400))],
  ]);
  assert.deepEqual(call.opening.events, [{ kind: "says", text: "It arrives on Monday.", reported: "It arrives on" }]);
  const { events } = await done(call.say("Hi"));
  assert.deepEqual(events, [{ kind: "says", text: "Goodbye!", reported: "Bye." }]);
});

test("an end that was announced lets the last words be played, and says how", async () => {
  const last: Plan = [
    [100, sound(tone(800, 3_000))],
    [200, { kind: "ends", as: "agent_transferred" }],
    [220, undefined],
  ];
  const { call } = await openCall(last);
  assert.deepEqual([call.opening.events.length, call.opening.ended], [1, "agent_transferred"]);
  const revoked: Plan = [...last.slice(0, 2), [210, { kind: "ends", as: undefined }], [220, undefined]];
  await assert.rejects(openCall(revoked), /\(ended-early\)/);
  await assert.rejects(openCall([...last.slice(0, 1), ...last.slice(2)]), /\(ended-early\)/);
});

test("each turn names the node at which it begins, and the nodes to which it goes", async () => {
  const plan: Plan = [
    [100, sound(tone(440, 400))],
    [2_000, { kind: "did", event: { kind: "node", node: "status" } }],
    [2_000, sound(tone(600, 400))],
  ];
  const { call, done } = await openCall(plan, "welcome");
  const [first] = call.opening.events;
  assert.deepEqual(first, { kind: "node", node: "welcome" });
  const { events } = await done(call.say("Hi"));
  assert.deepEqual(events, [
    { kind: "node", node: "welcome" },
    { kind: "node", node: "welcome" },
    { kind: "node", node: "status" },
    { kind: "says", text: "It arrives on Monday." },
  ]);
});
