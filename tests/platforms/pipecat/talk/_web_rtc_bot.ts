import { RTC_RATE } from "../../../../src/call/rtc/mod.ts";
import { type Answer, startServer, type TestServer } from "../../../call/connection/_server.ts";
import { answerOffer, type FarEnd, type FarEndOptions } from "../../../call/rtc/_far_end.ts";
import { Ear, SPOKEN_MS, spoken } from "../../../call/voice/_spoken.ts";
import { type BrainTurn, startBrain } from "../../connections/_brain.ts";
import { ORDERS, type Say, sendTurn } from "./_server.ts";

/** How a bot over WebRTC differs from the usual one. */
export interface WebRtcBotOptions extends FarEndOptions {
  /** Whether it speaks RTVI. Default: true. */
  readonly hasRtvi?: boolean;
  /** How it hangs up. Default: with `peerLeft`, as a `SmallWebRTCTransport` does. */
  readonly leaves?: "peerLeft" | "without a word";
  /** Answers the offer with something else. */
  readonly answers?: (sdp: string) => Answer | undefined;
  /** Sent in place of a turn, by its number; the opening is 0. */
  readonly instead?: (turn: number) => string | "close" | "nothing" | undefined;
}

/** A bot behind WebRTC. */
export interface WebRtcBot extends AsyncDisposable, Pick<TestServer, "taken" | "statuses"> {
  /** Where it takes offers. */
  readonly url: string;
  /** Messages that it got. */
  readonly messages: readonly string[];
  /** Resolves when every caller has gone. */
  readonly gone: () => Promise<void>;
}

/**
 * A bot of Pipecat with a `SmallWebRTCTransport`, on its development runner. The messages and their order are those of
 * pipecat-ai 1.14.0: transports/smallwebrtc/connection.py and request_handler.py.
 */
export async function startWebRtcBot(options: WebRtcBotOptions = {}): Promise<WebRtcBot> {
  const messages: string[] = [];
  const ends: FarEnd[] = [];
  const server = await startServer(async ({ method, url, body }) => {
    if (method !== "POST" || !url.startsWith("/api/offer")) return { status: 404, text: "no such page" };
    const far = await answerOffer(body.sdp, options);
    ends.push(far);
    play(far, options, messages);
    const other = options.answers?.(far.answer);
    return other ?? { json: { sdp: far.answer, type: "answer", pc_id: "connection#0" } };
  });
  return {
    url: `${server.url}/api/offer`,
    taken: server.taken,
    statuses: server.statuses,
    messages,
    gone: async () => void (await Promise.all(ends.map(({ gone }) => gone))),
    [Symbol.asyncDispose]: async () => {
      for (const far of ends) await far.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Plays the help desk. */
function play(
  far: FarEnd,
  { hasRtvi = true, leaves = "peerLeft", instead }: WebRtcBotOptions,
  messages: string[],
): void {
  const brain = startBrain({ mocks: ORDERS });
  const ear = new Ear(RTC_RATE);
  let number = 0;
  let closesAtMs = Number.POSITIVE_INFINITY;
  /** Samples that the caller has not had the time to play. */
  let ahead = 0;
  const speak = (samples: Int16Array) => {
    far.speak(samples);
    ahead += samples.length;
  };
  const say: Say = (type, data = {}) => {
    if (hasRtvi) far.send({ label: "rtvi-ai", type, data });
  };
  const leave = async () => {
    if (leaves === "peerLeft") far.send({ type: "signalling", message: { type: "peerLeft" } });
    await far.leave();
  };
  const turn = async (take: () => Promise<BrainTurn>) => {
    const { events, ...taken } = await take();
    const other = instead?.(number++);
    if (other === "close") return await far.close();
    if (other !== undefined) return other === "nothing" ? undefined : far.send(other);
    sendTurn(say, { events, ...taken }, { names: false });
    const texts = events.flatMap((event) => (event.kind === "says" ? [event.text] : []));
    if (texts.length > 0) say("bot-started-speaking");
    for (const text of texts) speak(spoken(text, RTC_RATE));
    // sound is sent at once here: it takes a while until it was played
    if (taken.ended) closesAtMs = ear.nowMs + (texts.length + 1) * (SPOKEN_MS + 100);
  };
  far.onMessage = (text) => {
    messages.push(text);
    if (text.startsWith("ping")) return;
    const { label, type } = JSON.parse(text);
    if (label === "rtvi-ai" && type === "client-ready") {
      far.send({ type: "signalling", message: { type: "renegotiate" } });
      // a track begins with silence: which of its first packets was sent first, nobody can know
      far.speak(new Int16Array(RTC_RATE / 25));
      say("bot-ready", { version: "2.2.0", about: { library: "pipecat-ai", library_version: "1.14.0" } });
      void turn(() => brain.open());
    } else if (label === "rtvi-ai" && type === "disconnect-bot") void far.close();
  };
  far.onSound = (samples) => {
    const text = ear.hear(samples);
    // a track is never silent for long: the transport sends silence between words
    if (ahead <= 0) far.speak(new Int16Array(samples.length));
    else {
      ahead -= samples.length;
      if (ahead <= 0) say("bot-stopped-speaking");
    }
    if (ear.nowMs >= closesAtMs) {
      closesAtMs = Number.POSITIVE_INFINITY;
      void leave();
    }
    if (text === undefined) return;
    say("user-transcription", { text, user_id: "user", timestamp: "now", final: true });
    void turn(() => brain.hear(text));
  };
}
