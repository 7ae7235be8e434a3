import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentTurn } from "../../../../src/call/connection/mod.ts";
import { joined, silence, tone } from "../../../call/voice/_tones.ts";
import { type BotReply, paced } from "./_bot.ts";
import { openOptions, simulate, wordsOf } from "./_simulated.ts";

const never = new AbortController().signal;
const MONDAY = { acts: [{ sound: tone(600, 700) }] };
const STOP = { kind: "words", text: "No, stop!" } as const;

/** Opens a call in which the caller interrupts the opening, and ends it behind the reply. */
async function interrupted(opening: BotReply, afterMs: number, text: string = STOP.text) {
  const { connection, bot, done } = simulate([opening, MONDAY]);
  const act = { ...STOP, text };
  const ahead = { after: { after_ms: afterMs }, act };
  const call = await done(connection.open({ ...openOptions(), ahead }));
  const answer: AgentTurn = await done(call.act?.(act, {}) ?? Promise.reject(new Error("it has no act()")));
  const { voice } = await done(call.close({ signal: never }));
  return { opening: call.opening, answer, voice, bot };
}

function near(measured: number | null | undefined, planted: number | undefined, name: string): void {
  assert.ok(typeof measured === "number" && planted !== undefined);
  assert.ok(Math.abs(measured - planted) <= 40, `${name}: ${measured} ms, planted ${planted} ms`);
}

const WHOLE = { acts: [{ sound: tone(440, 6_000) }] };
const PACED = { acts: paced(tone(440, 6_000)) };
const PAUSES = { acts: paced(joined(tone(440, 700), silence(150), tone(440, 5_000))) };

for (const [name, opening] of [
  ["sent at once", WHOLE],
  ["sent in pace", PACED],
  ["with a pause between words", PAUSES],
] as const)
  for (const afterMs of [300, 815, 2_000])
    for (const yieldsMs of [0, 130, 400, 900])
      test(`an interruption after ${afterMs} ms of a reply ${name}, which stops after ${yieldsMs} ms, is measured`, async () => {
        const { opening: turn, answer, voice, bot } = await interrupted({ ...opening, yieldsMs }, afterMs);
        const [found] = voice?.interruptions ?? [];
        near(found?.afterMs, afterMs, "begins");
        near(found?.stoppedMs, bot.stopped[0], "stops");
        assert.deepEqual(turn.interruption, found);
        assert.deepEqual(wordsOf(turn), ["Hello, how can I help?"]);
        assert.deepEqual(wordsOf(answer), ["It arrives on Monday."]);
        // nobody hears the answer before the reply is over
        const heardMs = Math.max(bot.planted[1] ?? 0, (bot.stopped[0] ?? 0) - STOP.text.length * 50);
        near(answer.firstWordMs, heardMs, "answers");
        assert.deepEqual(voice?.overlaps, []);
      });

test("an agent that talks on is named, and what it says over the caller is measured", async () => {
  const { voice } = await interrupted(WHOLE, 500);
  assert.equal(voice?.interruptions[0]?.stoppedMs, null);
});

test("an agent that begins again while the caller speaks talks over it", async () => {
  const back = { acts: [{ sound: tone(440, 900) }, { afterMs: 1_400 }, ...paced(tone(440, 300))] };
  const { voice, answer } = await interrupted(back, 800, "No, stop it, please, I beg you");
  near(voice?.interruptions[0]?.stoppedMs, 100, "stops");
  assert.equal(voice?.overlaps.length, 1);
  near(voice?.overlaps[0]?.ms, 300, "talks over");
  assert.deepEqual(wordsOf(answer), ["Hello, how can I help?", "It arrives on Monday."]);
});

test("an answer that comes at once is not a part of the reply before", async () => {
  const { connection, done } = simulate([{ acts: [{ sound: tone(440, 1_300) }] }, { ...MONDAY, afterMs: 280 }]);
  const ahead = { after: { after_ms: 800 }, act: STOP };
  const call = await done(connection.open({ ...openOptions(), ahead }));
  const answer = await done(call.act?.(STOP, {}) ?? Promise.reject(new Error("it has no act()")));
  const { voice } = await done(call.close({ signal: never }));
  assert.deepEqual([wordsOf(call.opening), wordsOf(answer)], [["Hello, how can I help?"], ["It arrives on Monday."]]);
  assert.ok((voice?.interruptions[0]?.stoppedMs ?? 0) >= 480);
});

test("a reply that is over before its interruption is not interrupted, and the caller waits for its end", async () => {
  const { opening, answer, voice, bot } = await interrupted({ acts: [{ sound: tone(440, 500) }] }, 900);
  assert.equal(opening.interruption, undefined);
  assert.deepEqual(voice?.interruptions, []);
  assert.deepEqual(wordsOf(answer), ["It arrives on Monday."]);
  near(answer.firstWordMs, bot.planted[1], "answers");
});

test("keys are dtmf messages without sound, and the bot answers them", async () => {
  const { connection, bot, done } = simulate([{ acts: [{ sound: tone(440, 300) }] }, MONDAY]);
  const call = await done(connection.open(openOptions()));
  bot.expectVoice();
  const turn = await done(
    call.act?.({ kind: "keys", keys: "12#" }, {}) ?? Promise.reject(new Error("it has no act()")),
  );
  assert.deepEqual(wordsOf(turn), ["It arrives on Monday."]);
  const pressed = bot.messages.filter(({ event }) => event === "dtmf");
  assert.deepEqual(
    pressed.map(({ dtmf }) => Reflect.get(Object(dtmf), "digit")),
    ["1", "2", "#"],
  );
  assert.ok(bot.media.every(({ samples }) => samples.every((sample) => Math.abs(sample) < 500)));
});

test("hold music and the greeting of a voicemail are heard, and music needs no answer", async () => {
  const { connection, bot, done } = simulate([undefined, MONDAY], { opening: false });
  const call = await done(connection.open(openOptions()));
  const act = call.act ?? (() => Promise.reject(new Error("it has no act()")));
  const heardMs = () => bot.media.filter(({ samples }) => samples.some((sample) => Math.abs(sample) > 500)).length * 20;
  bot.mute();
  assert.deepEqual((await done(act({ kind: "music", ms: 2_000 }, {}))).events, []);
  assert.ok(Math.abs(heardMs() - 2_000) <= 40, `${heardMs()}`);
  bot.mute(false);
  assert.deepEqual(wordsOf(await done(act({ kind: "voicemail", text: "Hello" }, {}))), ["It arrives on Monday."]);
  assert.ok(Math.abs(heardMs() - 2_000 - 250 - 500) <= 40, `${heardMs()}`);
});

test("noise is heard between the words, and lost packets are silent", async () => {
  const noisy = simulate([undefined, MONDAY], { opening: false });
  const call = await noisy.done(
    noisy.connection.open({ ...openOptions(), speaks: { noise_db: 30, packet_loss: 0.2 } }),
  );
  await noisy.done(noisy.done(call.act?.({ kind: "silence", ms: 2_000 }, {}) ?? Promise.reject()));
  const silent = noisy.bot.media.filter(({ samples }) => samples.every((sample) => Math.abs(sample) < 8)).length;
  const share = silent / noisy.bot.media.length;
  assert.ok(share > 0.1 && share < 0.3, `${share}`);
});

test("silence lasts as long as the scenario says, and an agent that asks again is heard", async () => {
  const again = { afterMs: 2_000, acts: [{ sound: tone(600, 400) }] };
  const { connection, bot, clock, done } = simulate([undefined, { acts: [{ sound: tone(440, 300) }] }, again], {
    opening: false,
  });
  const call = await done(connection.open(openOptions()));
  const { act = () => Promise.reject(new Error("it has no act()")) } = call;
  await done(act({ kind: "words", text: "Hi" }, {}));
  bot.expectVoice();
  const from = clock.now();
  const turn = await done(act({ kind: "silence", ms: 3_000 }, {}));
  assert.deepEqual(wordsOf(turn), ["It arrives on Monday."]);
  assert.ok(clock.now() - from >= 3_000 && clock.now() - from < 3_600, `${clock.now() - from}`);
});

test("the caller hangs up in the middle of its words, or while the bot speaks", async () => {
  const words = "I would like to book";
  const first = simulate([undefined, MONDAY], { opening: false });
  const call = await first.done(first.connection.open(openOptions()));
  const turn = await first.done(call.act?.({ kind: "words", text: words, cut: true }, {}) ?? Promise.reject());
  assert.deepEqual(turn.events, []);
  const { ended } = await first.done(call.close({ signal: never }));
  assert.equal(ended, undefined);
  const spoken = first.bot.media.filter(({ samples }) => samples.some((sample) => Math.abs(sample) > 500));
  assert.equal(spoken.length, (words.length * 50) / 2 / 20);
  const over = simulate([WHOLE]);
  const ahead = { after: { after_ms: 700 }, act: { kind: "hang-up" } } as const;
  const opened = await over.done(over.connection.open({ ...openOptions(), ahead }));
  near(opened.opening.interruption?.afterMs, 700, "hangs up");
  assert.deepEqual(wordsOf(opened.opening), ["Hello, how can I help?"]);
  await over.done(opened.close({ signal: never }));
  assert.equal(over.bot.messages.at(-1)?.event, "stop");
  near(over.bot.media.at(-1)?.atMs, 300 + 700, "the last frame");
});
