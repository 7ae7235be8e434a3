import assert from "node:assert/strict";
import { test } from "node:test";
import { SYSTEM_CLOCK } from "../../../src/base/values/mod.ts";
import { ConnectionError } from "../../../src/call/connection/mod.ts";
import { loadRtc, RTC_RATE, type RtcEvent, type RtcPeer } from "../../../src/call/rtc/mod.ts";
import { joined, silence, tone, wordsIn } from "../voice/_tones.ts";
import { answerOffer, type FarEnd, type FarEndOptions } from "./_far_end.ts";

const rtc = await loadRtc();

async function createPeer({ signal = new AbortController().signal, connectTimeoutMs = 20_000 } = {}): Promise<RtcPeer> {
  return await rtc.createPeer({
    name: "desk",
    channel: "control",
    iceServers: [],
    url: "http://127.0.0.1:1",
    connectTimeoutMs,
    signal,
    pauseClock: () => () => {},
    withoutSecrets: (text) => text.replaceAll("secret", "[key]"),
  });
}

interface Ends {
  readonly peer: RtcPeer;
  readonly far: FarEnd;
  /** What has arrived. */
  readonly events: RtcEvent[];
  /** Resolves at the end of the connection. */
  readonly over: Promise<unknown>;
}

async function connected(options: FarEndOptions, work: (ends: Ends) => Promise<void>): Promise<void> {
  const peer = await createPeer();
  const far = await answerOffer(peer.offer, options);
  const { signal } = new AbortController();
  const events: RtcEvent[] = [];
  try {
    await peer.connect(far.answer);
    const read = async () => {
      for (let event = await peer.receive({ signal }); event; event = await peer.receive({ signal }))
        events.push(event);
    };
    await work({
      peer,
      far,
      events,
      over: read().then(
        () => undefined,
        (error: unknown) => error,
      ),
    });
  } finally {
    await peer.close();
    await far.close();
  }
}

/** Waits until a condition holds. */
async function until(holds: () => boolean, what: string): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    assert.ok(tries < 1_500, what);
    await SYSTEM_CLOCK.pause(10);
  }
}

const soundIn = (events: readonly RtcEvent[]) =>
  joined(...events.flatMap((event) => (event.kind === "sound" ? [event.samples] : [])));
const framesOf = (samples: Int16Array) =>
  Array.from({ length: samples.length / 480 }, (_, at) => samples.subarray(480 * at, 480 * (at + 1)));
const WORDS = joined(tone(440, 400, { rate: RTC_RATE }), tone(600, 400, { rate: RTC_RATE }));

test("sound and messages go both ways", { timeout: 60_000 }, async () => {
  await connected({}, async ({ peer, far, events }) => {
    const heard: Int16Array[] = [];
    const messages: string[] = [];
    far.onSound = (samples) => void heard.push(samples);
    far.onMessage = (text) => void messages.push(text);
    peer.sendMessage("hello");
    assert.equal(await far.opened, "control");
    far.send({ type: "welcome" });
    for (const [at, frame] of framesOf(WORDS).entries()) peer.sendSound(frame, 480 * at);
    far.speak(WORDS);
    await until(() => heard.length === 40 && messages.length === 1, "the far end hears the caller");
    await until(() => soundIn(events).length === WORDS.length, "the caller hears the far end");
    assert.equal(wordsIn(joined(...heard), RTC_RATE), "Hello, how can I help? It arrives on Monday.");
    assert.equal(wordsIn(soundIn(events), RTC_RATE), "Hello, how can I help? It arrives on Monday.");
    assert.deepEqual(messages, ["hello"]);
    await until(() => events.some(({ kind }) => kind === "message"), "the message arrives");
    assert.deepEqual(
      events.filter(({ kind }) => kind === "message"),
      [{ kind: "message", message: '{"type":"welcome"}' }],
    );
  });
});

test("packets in the wrong order are put in order, and lost ones are as much silence", {
  timeout: 60_000,
}, async () => {
  await connected({ swaps: true, dropEvery: 7 }, async ({ far, events }) => {
    // the first packet of all comes too late: nothing tells that one is before the second
    far.speak(silence(40, RTC_RATE));
    far.speak(joined(WORDS, silence(200, RTC_RATE)));
    // of 50 packets, the 7th, 14th … are lost; those behind the last one tell that it is
    await until(() => soundIn(events).length >= 480 + WORDS.length, "the caller hears the far end");
    const sound = soundIn(events).subarray(480, 480 + WORDS.length);
    const lost = framesOf(sound).flatMap((frame, at) => (frame.every((sample) => sample === 0) ? [at + 1] : []));
    assert.deepEqual(lost, [7, 14, 21, 28, 35]);
    assert.equal(wordsIn(sound, RTC_RATE), "Hello, how can I help? It arrives on Monday.");
  });
});

test("the end of the connection is told at both ends", { timeout: 60_000 }, async () => {
  await connected({}, async ({ peer, far, over }) => {
    await far.opened;
    await far.close();
    assert.equal(await over, undefined);
    assert.equal(peer.isOpen, false);
    assert.throws(() => peer.sendMessage("hello"), /\(ended-early\)/);
    peer.sendSound(silence(20, RTC_RATE), 0);
  });
  await connected({}, async ({ peer, far }) => {
    await far.opened;
    await peer.close();
    await far.gone;
  });
});

test("that nobody is there any more to hear the caller ends no process", { timeout: 60_000 }, async () => {
  await connected({}, async ({ peer, far }) => {
    await far.opened;
    await far.vanish();
    for (let at = 0; at < 20; at++) {
      peer.sendSound(silence(20, RTC_RATE), 480 * at);
      await SYSTEM_CLOCK.pause(10);
    }
  });
});

test("sound that is no Opus is the other side's fault", { timeout: 60_000 }, async () => {
  // a packet of code 3 without its count of frames
  await connected({ garbles: new Uint8Array([3]) }, async ({ far, over }) => {
    far.speak(WORDS);
    const error = await over;
    assert.ok(error instanceof ConnectionError && error.kind === "vendor", String(error));
    assert.match(error.message, /its sound cannot be decoded/);
  });
});

type Refused = readonly [
  name: string,
  answer: FarEndOptions | string,
  error: RegExp,
  change?: (text: string) => string,
];
/** What the other side answers, and the error. */
const REFUSED: readonly Refused[] = [
  ["no answer", "secret", /\(vendor\)/],
  ["half an answer", "v=0\r\no=- 1 0 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP", /\(vendor\)/],
  ["no sound of its own", { isMute: true }, /\(vendor\): its answer has no sound in Opus both ways/],
  ["another codec", {}, /\(vendor\)/, (answer) => answer.replaceAll("opus/48000/2", "PCMU/8000")],
  ["nobody there", { isDead: true }, /\(unreachable\): it was not connected within 1500 ms/],
];
for (const [name, given, expected, change = (text: string) => text] of REFUSED) {
  test(`an answer that cannot be used: ${name}`, { timeout: 60_000 }, async () => {
    const peer = await createPeer({ connectTimeoutMs: 1_500 });
    const far = typeof given === "string" ? undefined : await answerOffer(peer.offer, given);
    const answer = typeof given === "string" ? given : change(far?.answer ?? "");
    try {
      await assert.rejects(peer.connect(answer), (error: unknown) => {
        assert.ok(error instanceof ConnectionError, String(error));
        assert.match(error.message, expected);
        assert.doesNotMatch(error.message, /secret/);
        return true;
      });
    } finally {
      await peer.close();
      await far?.close();
    }
  });
}

test("a call that is given up ends the waits for a connection and for events", { timeout: 60_000 }, async () => {
  const [early, late] = [new AbortController(), new AbortController()];
  const waiting = await createPeer({ signal: early.signal });
  const dead = await answerOffer(waiting.offer, { isDead: true });
  setTimeout(() => early.abort(new Error("given up")), 50);
  await assert.rejects(waiting.connect(dead.answer), /given up/);
  await waiting.close();
  await connected({}, async ({ peer }) => {
    setTimeout(() => late.abort(new Error("given up")), 50);
    await assert.rejects(peer.receive({ signal: late.signal }), /given up/);
  });
});

test("codecs of many calls do not disturb each other, and give their memory back", () => {
  const [low, high] = [tone(440, 20, { rate: RTC_RATE }), tone(1000, 20, { rate: RTC_RATE })];
  for (let round = 0; round < 2; round++) {
    const codecs = Array.from({ length: 250 }, () => rtc.createCodec());
    const heard = codecs.map((): Int16Array[] => []);
    for (let frame = 0; frame < 6; frame++)
      for (const [at, codec] of codecs.entries())
        heard[at]?.push(codec.decode(codec.encode(at % 2 === 0 ? low : high)));
    const wrong = heard.filter((frames, at) => {
      const said = wordsIn(joined(...frames.slice(2)), RTC_RATE);
      return said !== (at % 2 === 0 ? "Hello, how can I help?" : "One moment.");
    });
    assert.equal(wrong.length, 0);
    for (const codec of codecs) codec.free();
  }
});
