import process from "node:process";
import type { SpeechModelV3, TranscriptionModelV3 } from "@ai-sdk/provider";
import { connect } from "../../api/connect.ts";
import { run } from "../../mod.ts";
import { writePcmWave } from "../../src/call/audio/mod.ts";
import { joined, silence, tone } from "../../tests/call/voice/_tones.ts";
import { type ScriptedBot, startTwilio } from "../../tests/platforms/twilio/talk/_bot.ts";
import { type Figure, sized } from "../figure.ts";

const CALLS = sized(64, 4);
const TURNS = sized(4, 1);

const HELLO = { acts: [{ sound: tone(440, 500) }] };
const MONDAY = { acts: [{ sound: tone(600, 700) }] };

const scenarios = Array.from({ length: CALLS }, (_, index) => ({
  name: `call ${index}`,
  says: Array.from({ length: TURNS }, () => "Where is my order?"),
  includes: ["Monday"],
}));

/** Models that take no time: what is measured is the work of the calls. */
const response = { timestamp: new Date(0), modelId: "fixed" };
const line = joined(silence(300, 24_000), tone(300, 1_500, { rate: 24_000 }), silence(300, 24_000));
const audio = writePcmWave({ rate: 24_000, channels: [line] });
const speech: SpeechModelV3 = {
  specificationVersion: "v3",
  provider: "bench",
  modelId: "fixed",
  doGenerate: async () => ({ audio, warnings: [], response }),
};
const transcription: TranscriptionModelV3 = {
  specificationVersion: "v3",
  provider: "bench",
  modelId: "fixed",
  doGenerate: async () => ({
    text: "It arrives on Monday.",
    segments: [],
    language: "en",
    durationInSeconds: 1,
    warnings: [],
    response,
  }),
};

interface Held {
  readonly wallMs: number;
  readonly longestMs: number;
  readonly cpuMs: number;
  readonly bots: readonly ScriptedBot[];
}

/** Holds calls at once; the bots answer in the same process. */
async function hold(calls: number): Promise<Held> {
  await using server = await startTwilio({ replies: [HELLO, ...Array.from({ length: TURNS }, () => MONDAY)] });
  const agent = connect.twilio({ url: server.socketUrl, speech, transcription, hangUpMs: 0 });
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  const report = await run(agent, scenarios.slice(0, calls), { store: false, limits: { concurrency: calls } });
  const { user, system } = process.cpuUsage(cpu);
  if (!report.passed)
    throw new Error(
      `the calls of the bench do not pass: ${report.results.find(({ status }) => status !== "pass")?.errorMessage}`,
    );
  const longestMs = Math.max(...report.results.map(({ durationMs }) => durationMs));
  return { wallMs: performance.now() - started, longestMs, cpuMs: (user + system) / 1000, bots: server.bots };
}

/** The share of frames that were not sent in their time, seen by the bots: the stream's times have a gap. */
function missedShare(bots: readonly ScriptedBot[]): number {
  const due = bots.reduce((sum, { media }) => sum + (media.at(-1)?.atMs ?? 0) / 20 + 1, 0);
  const sent = bots.reduce((sum, { media }) => sum + media.length, 0);
  return (due - sent) / due;
}

export async function* bench(): AsyncGenerator<Figure> {
  await hold(1); // loads the modules
  const one = await hold(1);
  const all = await hold(CALLS);
  const seconds = all.bots.reduce((sum, { media }) => sum + media.length / 50, 0);
  const against = `${CALLS} calls of ${TURNS} turns at once, bots in the same process`;
  yield {
    name: "voice_missed_frames",
    value: missedShare(all.bots),
    unit: "share",
    against,
    bound: 0.01,
  };
  yield {
    name: "voice_time_of_all_calls",
    value: all.wallMs / all.longestMs,
    unit: "ratio",
    against: "the longest of them",
    bound: 1.15,
  };
  yield {
    name: "voice_time_of_a_call_among_many",
    value: all.longestMs / one.longestMs,
    unit: "ratio",
    against: "a call alone",
    bound: 1.15,
  };
  yield { name: "voice_processor_ms_per_second", value: all.cpuMs / seconds, unit: "ms", against };
}
