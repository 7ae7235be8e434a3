import assert from "node:assert/strict";
import { test } from "node:test";
import { HUMMING, joined, silence, tone } from "../../../call/voice/_tones.ts";
import { paced } from "./_bot.ts";
import { openOptions, simulate, wordsOf } from "./_simulated.ts";

/** A latency is exact to a sample in simulated time; a frame of the caller is heard 20 ms after its first sample. */
function near(measured: number | undefined, planted: number | undefined, atMostMs = 1): void {
  assert.ok(measured !== undefined && planted !== undefined);
  assert.ok(Math.abs(measured - planted) <= atMostMs, `${measured} ms was measured, ${planted} ms was planted`);
}

for (const afterMs of [300, 800, 2_000]) {
  for (const isPaced of [false, true]) {
    test(`a latency of ${afterMs} ms is measured, for sound that is sent ${isPaced ? "in 20 ms" : "at once"}`, async () => {
      const sound = tone(600, 730);
      const acts = isPaced ? paced(sound) : [{ sound }];
      const opening = { afterMs: 400, acts: [{ sound: tone(440, 500) }] };
      const { connection, bot, done } = simulate([opening, { afterMs, acts }, { afterMs, acts }]);
      const call = await done(connection.open(openOptions()));
      assert.deepEqual(wordsOf(call.opening), ["Hello, how can I help?"]);
      near(call.opening.firstWordMs, 400, 20);
      for (const [at, line] of ["Where is my order", "Sure."].entries()) {
        const turn = await done(call.say(line));
        assert.deepEqual(wordsOf(turn), ["It arrives on Monday."]);
        near(turn.firstWordMs, bot.planted[at + 1]);
        near(turn.firstWordMs, afterMs, 40);
      }
      await done(call.close({ signal: new AbortController().signal }));
    });
  }
}

test("silence before the agent's first word, in the sound itself, is a part of the latency", async () => {
  const sound = joined(silence(250), tone(600, 700));
  for (const acts of [[{ sound }], paced(sound)]) {
    const { connection, bot, done } = simulate([undefined, { acts }], { opening: false });
    const call = await done(connection.open(openOptions()));
    near((await done(call.say("Hello?"))).firstWordMs, (bot.planted[0] ?? 0) + 250, 20);
  }
});

test("silence behind the caller's words is no part of them", async () => {
  const speak = async () => joined(silence(45), tone(300, 733), silence(330));
  const reply = { afterMs: 200, acts: [{ sound: tone(600, 700) }] };
  const { connection, bot, done } = simulate([undefined, reply], { opening: false }, { ...HUMMING, speak });
  const call = await done(connection.open(openOptions()));
  const turn = await done(call.say("Hello?"));
  assert.ok((bot.planted[0] ?? 0) < 230);
  // the bot answers while the silence is sent, and its latency counts from the words
  near(turn.firstWordMs, bot.planted[0]);
});

test("a noise before the first word is not the first word", async () => {
  const acts = [{ sound: tone(1000, 60) }, { afterMs: 1_000, sound: tone(600, 700) }];
  const { connection, bot, done } = simulate([undefined, { acts }], { opening: false });
  const call = await done(connection.open(openOptions()));
  near((await done(call.say("Hello?"))).firstWordMs, (bot.planted[0] ?? 0) + 1_000);
});

test("an agent that speaks before the caller has finished has a latency of 0, and one that has stopped before has its own", async () => {
  const talks = {
    acts: [
      { sound: tone(440, 500) },
      ...paced(tone(600, 1_200)).map((act, at) => (at === 0 ? { ...act, afterMs: 1_400 } : act)),
    ],
  };
  // the caller begins 1,000 ms after the opening began, and needs 1,000 ms for 20 letters
  const over = simulate([talks]);
  const first = await over.done(over.connection.open(openOptions()));
  const turn = await over.done(first.say("a".repeat(20)));
  assert.equal(turn.firstWordMs, 0);
  assert.deepEqual(wordsOf(turn), ["It arrives on Monday."]);
  const stops = simulate([talks, { acts: [{ sound: tone(800, 400) }] }]);
  const second = await stops.done(stops.connection.open(openOptions()));
  const reply = await stops.done(second.say("a".repeat(60)));
  near(reply.firstWordMs, stops.bot.planted[1]);
  assert.deepEqual(wordsOf(reply), ["It arrives on Monday. Goodbye!"]);
});
