// The voice and the ears of agents of LiveKit Agents in tests: each sentence is one tone.

import { stt, tts } from "@livekit/agents";
import { AudioFrame } from "@livekit/rtc-node";
import { Ear, spoken } from "./_tones.mjs";

const RATE = 24_000;
const EAR_RATE = 16_000;
const SILENT_SAMPLES = 4_800;
/** A room is silent while a busy machine sends nothing: that must not make two turns of one. */
const QUIET_MS = 1_500;

class Spoken extends tts.ChunkedStream {
  label = "spoken";
  #text;
  #isSilent;
  constructor(text, voice, isSilent) {
    super(text, voice);
    this.#text = text;
    this.#isSilent = isSilent;
  }
  async run() {
    const samples = this.#isSilent ? new Int16Array(SILENT_SAMPLES) : spoken(this.#text.trim(), RATE);
    const frame = new AudioFrame(samples, RATE, 1, samples.length);
    this.queue.put({ requestId: "request", segmentId: "segment", frame, final: true });
  }
}

/** Says the tones of a text, or 0.2 s of silence. */
export class Voice extends tts.TTS {
  label = "spoken";
  #isSilent;
  constructor({ isSilent = false } = {}) {
    super(RATE, 1, { streaming: false });
    this.#isSilent = isSilent;
  }
  synthesize(text) {
    return new Spoken(text, this, this.#isSilent);
  }
  stream() {
    throw new Error("it does not stream");
  }
}

/** Hears the tones of a text, and when they are over. */
export class Ears extends stt.STT {
  label = "ears";
  constructor() {
    super({ streaming: true, interimResults: false });
  }
  async _recognize() {
    throw new Error("it streams");
  }
  stream() {
    return new EarStream(this, EAR_RATE);
  }
}

class EarStream extends stt.SpeechStream {
  label = "ears";
  async run() {
    const ear = new Ear(EAR_RATE, QUIET_MS);
    let isHearing = false;
    const tell = (type, text = "") => {
      const said = { text, language: "en", startTime: 0, endTime: 0, confidence: 1 };
      this.queue.put({ type, alternatives: [said] });
    };
    for await (const frame of this.input) {
      if (!frame.data) continue;
      const text = ear.hear(frame.data);
      if (ear.isHearing && !isHearing) tell(stt.SpeechEventType.START_OF_SPEECH);
      isHearing = ear.isHearing;
      if (text === undefined) continue;
      tell(stt.SpeechEventType.FINAL_TRANSCRIPT, text);
      tell(stt.SpeechEventType.END_OF_SPEECH);
    }
  }
}

/** The options of a session that hears and speaks. Whether a turn is over, the ears say. */
export function speaking() {
  return { tts: new Voice(), stt: new Ears(), vad: null, turnHandling: { turnDetection: "stt" } };
}
