import assert from "node:assert/strict";
import { test } from "node:test";
import { joined, silence, tone } from "../../../call/voice/_tones.ts";
import { paced } from "./_bot.ts";
import { openOptions, simulate, wordsOf } from "./_simulated.ts";

const HELLO = { acts: [{ sound: tone(440, 500) }] };
const MONDAY = { acts: [{ sound: tone(600, 700) }] };
const never = new AbortController().signal;

test("the messages are those of a bidirectional stream, and media comes each 20 ms until the call ends", async () => {
  const { connection, bot, done } = simulate([HELLO, MONDAY]);
  const call = await done(connection.open(openOptions()));
  await done(call.say("Where is my order?"));
  const { callId, ended } = await done(call.close({ signal: never }));
  assert.equal(ended, undefined);
  assert.match(callId ?? "", /^CA[0-9a-f]{32}$/);
  const [connected, start, stop] = bot.messages;
  assert.deepEqual(connected, { event: "connected", protocol: "Call", version: "1.0.0" });
  const { streamSid, start: facts } = start ?? { event: "none" };
  assert.match(String(streamSid), /^MZ[0-9a-f]{32}$/);
  assert.deepEqual(facts, {
    accountSid: Reflect.get(Object(facts), "accountSid"),
    streamSid,
    callSid: callId,
    tracks: ["inbound"],
    mediaFormat: { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 },
    customParameters: {},
  });
  assert.equal(start?.sequenceNumber, "1");
  assert.deepEqual(
    [stop?.event, stop?.streamSid, stop?.sequenceNumber],
    ["stop", streamSid, String(bot.media.length + 2)],
  );
  assert.equal(bot.messages.length, 3);
  assert.ok(bot.media.length > 100);
  for (const [at, { atMs, chunk, samples }] of bot.media.entries())
    assert.deepEqual([atMs, chunk, samples.length], [at * 20, at + 1, 160]);
  const spoken = bot.media.filter(({ samples }) => samples.some((sample) => Math.abs(sample) > 500));
  assert.equal(spoken.length, 45, "18 letters of 50 ms");
  // the opening is over after 300 + 500 + 500 ms
  assert.equal(spoken[0]?.atMs, 1_300);
});

test("a mark comes back when the sound before it was played, and at once without sound", async () => {
  const acts = [
    { mark: "none" },
    { sound: tone(440, 1_000), mark: "first" },
    { sound: tone(440, 500), mark: "second" },
  ];
  const { connection, bot, done } = simulate([{ afterMs: 100, acts }]);
  await done(connection.open(openOptions()));
  const [none, first, second, ...more] = bot.marks;
  assert.deepEqual(none, ["none", 100]);
  assert.deepEqual([first, second, more], [["first", 1_100], ["second", 1_600], []]);
});

test("clear drops what was not played, and sends marks back", async () => {
  const acts = [
    { sound: tone(440, 5_000), mark: "end" },
    { sound: tone(800, 5_000) },
    { afterMs: 1_000, clear: true as const },
  ];
  const { connection, bot, clock, done } = simulate([{ afterMs: 100, acts }]);
  const start = clock.now();
  const call = await done(connection.open(openOptions()));
  assert.deepEqual(bot.marks, [["end", 1_100]]);
  assert.deepEqual(wordsOf(call.opening), ["Hello, how can I help?"]);
  // the turn is over 500 ms after the voice
  assert.ok(clock.now() - start < 1_700);
});

test("a turn goes on while sound that has arrived has voice, whatever its pauses", async () => {
  const sound = joined(tone(440, 300), silence(2_000), tone(600, 400));
  const { connection, done } = simulate([{ acts: [{ sound }] }]);
  const { opening } = await done(connection.open(openOptions()));
  assert.deepEqual(wordsOf(opening), ["Hello, how can I help? It arrives on Monday."]);
});

test("a pause shorter than turns.endMs is within a turn, and a longer one ends it", async () => {
  const acts = (pauseMs: number) => [...paced(joined(tone(440, 400), silence(pauseMs), tone(600, 400)))];
  const short = simulate([{ acts: acts(400) }]);
  assert.deepEqual(wordsOf((await short.done(short.connection.open(openOptions()))).opening), [
    "Hello, how can I help? It arrives on Monday.",
  ]);
  const patient = simulate([{ acts: acts(700) }], { turns: { endMs: 800 } });
  assert.equal(wordsOf((await patient.done(patient.connection.open(openOptions()))).opening).length, 1);
  // the caller lets it finish, and has its words before the reply
  const long = simulate([{ acts: acts(600) }, { acts: [{ sound: tone(800, 400) }] }]);
  const call = await long.done(long.connection.open(openOptions()));
  assert.deepEqual(wordsOf(call.opening), ["Hello, how can I help?"]);
  await long.done(new Promise<void>((resolve) => void long.clock.after(150, resolve)));
  const turn = await long.done(call.say("Hi"));
  assert.deepEqual(wordsOf(turn), ["It arrives on Monday.", "Goodbye!"]);
  const spoken = long.bot.media.find(({ samples }) => samples.some((sample) => Math.abs(sample) > 500));
  assert.ok((spoken?.atMs ?? 0) >= 300 + 400 + 600 + 400 + 500);
});

test("time in which the machine stood still is no silence of the agent, and no part of a wait for it", async () => {
  const acts = paced(joined(tone(440, 400), silence(300), tone(600, 400)));
  const { connection, clock, done } = simulate([{ acts }, { afterMs: 900, acts: [{ sound: tone(800, 400) }] }], {
    turns: { giveUpMs: 1_000 },
  });
  // between the bot's words, and while the caller waits for its answer
  clock.after(800, () => clock.advance(3_000));
  const call = await done(connection.open(openOptions()));
  assert.deepEqual(wordsOf(call.opening), ["Hello, how can I help? It arrives on Monday."]);
  clock.after(900, () => clock.advance(3_000));
  assert.deepEqual(wordsOf(await done(call.say("Hi"))), ["Goodbye!"]);
});

test("a caller without words listens", async () => {
  const acts = [{ sound: tone(440, 500) }, { afterMs: 3_000, sound: tone(600, 500) }];
  const { connection, bot, done } = simulate([{ acts }]);
  const call = await done(connection.open(openOptions()));
  assert.deepEqual(wordsOf(await done(call.say(" "))), ["It arrives on Monday."]);
  assert.ok(bot.media.every(({ samples }) => samples.every((sample) => sample === 0)));
});

for (const close of [1000, "none"] as const) {
  test(`a bot that closes the connection (${close}) after its last words has ended the call`, async () => {
    const bye = [{ sound: tone(800, 500) }, { afterMs: 600, close }];
    const { connection, done } = simulate([HELLO, { acts: bye }]);
    const call = await done(connection.open(openOptions()));
    const turn = await done(call.say("Bye"));
    assert.deepEqual([wordsOf(turn), turn.ended], [["Goodbye!"], "agent_ended"]);
    assert.equal((await done(call.close({ signal: never }))).ended, "agent_ended");
  });

  test(`a bot that closes the connection (${close}) later has ended the call, too`, async () => {
    const bye = [{ sound: tone(800, 500) }, { afterMs: 1_500, close }];
    const late = simulate([{ acts: bye }]);
    const call = await late.done(late.connection.open(openOptions()));
    assert.equal(call.opening.ended, undefined);
    assert.equal((await late.done(call.close({ signal: never }))).ended, "agent_ended");
    const impatient = simulate([{ acts: bye }], { hangUpMs: 100 });
    const other = await impatient.done(impatient.connection.open(openOptions()));
    assert.equal((await impatient.done(other.close({ signal: never }))).ended, undefined);
  });
}

test("a bot can end the call while the caller speaks, and before", async () => {
  const bye = [{ sound: tone(800, 500) }, { afterMs: 1_500, close: 1000 }];
  const { connection, bot, done } = simulate([{ acts: bye }]);
  const call = await done(connection.open(openOptions()));
  const turn = await done(call.say("I have a very long question"));
  assert.deepEqual([wordsOf(turn), turn.ended, turn.firstWordMs], [[], "agent_ended", undefined]);
  assert.ok(bot.media.some(({ samples }) => samples.some((sample) => Math.abs(sample) > 500)));
  assert.deepEqual(await done(call.say("Hello?")), { events: [], ended: "agent_ended" });
});

/** What a bot does, and the error of the call. */
const FAULTS: readonly (readonly [name: string, acts: Parameters<typeof simulate>[0][number], error: RegExp])[] = [
  ["says nothing", { afterMs: 60_000, acts: [] }, /\(silence\): it said nothing for 20000 ms/],
  ["makes only a noise", { acts: [{ sound: tone(440, 60) }] }, /\(silence\)/],
  [
    "hangs up before its words were played",
    { acts: [{ sound: tone(440, 3_000) }, { afterMs: 500, close: 1000 }] },
    /\(ended-early\): it closed the connection 2\d{3} ms before/,
  ],
  ["breaks off", { acts: [{ sound: tone(440, 300) }, { close: 1006 }] }, /\(ended-early\)/],
  [
    "sends sound for another stream",
    { acts: [{ other: { event: "media", streamSid: "MZ0", media: { payload: "" } } }] },
    /\(vendor\): it sent "media" without the streamSid/,
  ],
  ["sends what is no base64", { acts: [{ other: { event: "media", media: { payload: "~" } } }] }, /\(vendor\).*base64/],
  ["sends media without content", { acts: [{ other: { event: "media" } }] }, /\(vendor\).*without its content/],
  ["sends a mark without a name", { acts: [{ other: { event: "mark", mark: {} } }] }, /\(vendor\).*without a name/],
  [
    "sends more than can wait",
    { acts: [{ sound: silence(310_000) }, { sound: silence(310_000) }] },
    /\(vendor\): more than 10 minutes/,
  ],
];
for (const [name, acts, error] of FAULTS) {
  test(`a bot that ${name} is an error, first and later`, async () => {
    const first = simulate([acts]);
    await assert.rejects(first.done(first.connection.open(openOptions())), error);
    const later = simulate([HELLO, acts]);
    const call = await later.done(later.connection.open(openOptions()));
    await assert.rejects(later.done(call.say("Hello?")), error);
    await later.done(call.close({ signal: never }));
    const sent = later.bot.media.length;
    later.clock.advance(1_000);
    assert.equal(later.bot.media.length, sent, "nothing is sent after the end");
  });
}

test("messages that Twilio does not know are ignored", async () => {
  const acts = [{ other: { event: "stop" } }, { other: { event: "hello", streamSid: "other" } }, ...HELLO.acts];
  const { connection, done } = simulate([{ acts }]);
  assert.deepEqual(wordsOf((await done(connection.open(openOptions()))).opening), ["Hello, how can I help?"]);
});

test("voice without words is an error, and no empty reply", async () => {
  const voice = { speak: async () => tone(300, 500), transcribe: async () => "" };
  const { connection, done } = simulate([HELLO], {}, voice);
  await assert.rejects(done(connection.open(openOptions())), {
    code: "model-output",
    message: /heard no words in 1\.1 s of the agent's sound/,
  });
});

test("aborting ends every wait", async () => {
  for (const say of [undefined, "a".repeat(200), "Hello?"]) {
    const stop = new AbortController();
    const { connection, bot, clock, done } = simulate(say ? [HELLO] : [{ afterMs: 60_000, acts: [] }]);
    const opening = connection.open(openOptions(stop.signal));
    const waiting: Promise<unknown> = say ? (await done(opening)).say(say) : opening;
    clock.after(2_000, () => stop.abort(new Error("stop")));
    await assert.rejects(done(waiting), /stop/);
    assert.ok(bot.media.length > 0);
  }
});

test("the caller's own time is no time of the agent: synthesis, speaking and transcription", async () => {
  const { connection, clock, done } = simulate([HELLO, MONDAY]);
  let [held, since] = [0, 0];
  const pauseClock = () => {
    since = clock.now();
    return () => {
      held += clock.now() - since;
    };
  };
  const call = await done(connection.open({ ...openOptions(), pauseClock }));
  held = 0;
  await done(call.say("a".repeat(20)));
  assert.ok(held >= 1_000 && held < 1_100, `${held}`);
});
