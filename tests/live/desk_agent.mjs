// The help desk of the tests, as an agent of LiveKit Agents with LiveKit's own model for tests.

import process from "node:process";
import { fileURLToPath } from "node:url";
import { beta, cli, defineAgent, llm, ServerOptions, stt, tts, voice } from "@livekit/agents";
import { AudioFrame } from "@livekit/rtc-node";
import { z } from "zod";

const lookUp = llm.tool({
  description: "Looks an order up.",
  parameters: z.object({ order_number: z.string() }),
  execute: async ({ order_number: number }) => {
    if (number === "A-1042") return { status: "shipped", arrives: "Friday" };
    throw new llm.ToolError(`no order ${number}`);
  },
});

class Manager extends voice.Agent {
  constructor() {
    super({
      instructions: "You are the manager.",
      tools: [beta.createEndCallTool({ endInstructions: "say goodbye" })],
    });
  }
  async onEnter() {
    this.session.say("The manager calls you back.");
  }
}

class Desk extends voice.Agent {
  constructor() {
    const toManager = llm.tool({
      description: "Hands over to the manager.",
      execute: async () => llm.handoff({ agent: new Manager(), returns: "handed over" }),
    });
    super({ instructions: "You are the help desk.", tools: { look_up_order: lookUp, to_manager: toManager } });
  }
  async onEnter() {
    if (!hasVoice) this.session.output.setAudioEnabled(false);
    this.session.say("Lamp shop, how can I help?");
  }
}

const hasVoice = process.env.DESK_VOICE !== undefined;
/** Speech of which words survive a network: the file that makes it, in calls by voice. */
const spokenFile = process.env.DESK_VOICE === "spoken" ? process.env.DESK_SPOKEN : undefined;
const speech = spokenFile === undefined ? undefined : await import(spokenFile);
const SAMPLES = 4_800;
const RATE = 24_000;
const EAR_RATE = 16_000;

/** Says the tones of a text, or 0.2 s of silence. */
class Spoken extends tts.ChunkedStream {
  label = "spoken";
  #text;
  constructor(text, voice) {
    super(text, voice);
    this.#text = text;
  }
  async run() {
    const samples = speech?.spoken(this.#text.trim(), RATE) ?? new Int16Array(SAMPLES);
    const frame = new AudioFrame(samples, RATE, 1, samples.length);
    this.queue.put({ requestId: "request", segmentId: "segment", frame, final: true });
  }
}

/** Hears the tones of a text, and when they are over. */
class Ears extends stt.STT {
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
    const ear = new speech.Ear(EAR_RATE);
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

class Voice extends tts.TTS {
  label = "spoken";
  constructor() {
    super(RATE, 1, { streaming: false });
  }
  synthesize(text) {
    return new Spoken(text, this);
  }
  stream() {
    throw new Error("it does not stream");
  }
}

const calls = (name, args = {}) => [{ name, args }];
const model = new voice.testing.FakeLLM([
  { input: "Where is order A-1042?", toolCalls: calls("look_up_order", { order_number: "A-1042" }) },
  { input: '{"status":"shipped","arrives":"Friday"}', content: "It is shipped and arrives on Friday." },
  { input: "Where is order B-77?", toolCalls: calls("look_up_order", { order_number: "B-77" }) },
  { input: "no order B-77", content: "I find no order B-77." },
  { input: "I ask for a manager!", toolCalls: calls("to_manager") },
  { input: "Goodbye.", toolCalls: calls("end_call") },
  { input: '"say goodbye"', content: "Goodbye!" },
]);

// biome-ignore lint/style/noDefaultExport: LiveKit loads it
export default defineAgent({
  entry: async (context) => {
    const ears = speech ? { stt: new Ears(), vad: null, turnDetection: "stt" } : {};
    const session = new voice.AgentSession({ llm: model, ...(hasVoice ? { tts: new Voice() } : {}), ...ears });
    await session.start({ agent: new Desk(), room: context.room });
  },
});

cli.runApp(
  new ServerOptions({
    agent: fileURLToPath(import.meta.url),
    agentName: process.env.DESK_AGENT_NAME ?? "",
    host: "127.0.0.1",
    port: Number(process.env.DESK_PORT ?? 0),
    numIdleProcesses: 1,
    // a busy machine would refuse jobs
    loadFunc: async () => 0,
  }),
);
