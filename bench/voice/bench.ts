import { spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { SpeechModelV3, TranscriptionModelV3 } from "@ai-sdk/provider";
import { connect } from "../../api/connect.ts";
import { run } from "../../mod.ts";
import { writePcmWave } from "../../src/call/audio/mod.ts";
import { joined, silence, tone } from "../../tests/call/voice/_tones.ts";
import { type Figure, sized } from "../figure.ts";
import type { HeardFrames } from "./heard_frames.ts";

const CALLS = sized(64, 4);
const TURNS = sized(4, 1);
/** Latencies of the bots that are measured, in milliseconds. */
const PLANTED = [300, 800, 2_000];

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

/** A program that prints a line at its start, and one for each line that it gets. */
interface Child extends AsyncDisposable {
  readonly first: string;
  ask(): Promise<string>;
}

async function startChild(file: string, ...args: readonly string[]): Promise<Child> {
  const program = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [...process.execArgv, program, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${file} of the bench has stopped`);
    return value;
  };
  return {
    first: await next(),
    ask: async () => {
      child.stdin.write("\n");
      return await next();
    },
    [Symbol.asyncDispose]: async () => void child.kill(),
  };
}

/** Bots in a process of their own. */
const startBots = (turns: number, latencies: readonly number[]) =>
  startChild("bots.ts", String(turns), latencies.join(","));

interface Held {
  readonly wallMs: number;
  readonly longestMs: number;
  readonly cpuMs: number;
  readonly bytes: number;
  readonly frames: HeardFrames;
  /** Of each call: the latencies of its replies, the opening first. */
  readonly latencies: readonly (readonly number[])[];
}

/** Holds calls at once. */
async function hold(bots: Child, calls: number, turns: number): Promise<Held> {
  const scenarios = Array.from({ length: calls }, (_, index) => ({
    name: `call ${index}`,
    says: Array.from({ length: turns }, () => "Where is my order?"),
    includes: ["Monday"],
  }));
  const agent = connect.twilio({ url: bots.first, speech, transcription, hangUpMs: 0 });
  let most = 0;
  const before = process.memoryUsage().rss;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 250);
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  const report = await run(agent, scenarios, { store: false, limits: { concurrency: calls } });
  const { user, system } = process.cpuUsage(cpu);
  clearInterval(watch);
  if (!report.passed)
    throw new Error(
      `the calls of the bench do not pass: ${report.results.find(({ status }) => status !== "pass")?.errorMessage}`,
    );
  return {
    wallMs: performance.now() - started,
    longestMs: Math.max(...report.results.map(({ durationMs }) => durationMs)),
    cpuMs: (user + system) / 1000,
    bytes: Math.max(0, most - before),
    frames: JSON.parse(await bots.ask()),
    latencies: report.results.map(({ latency = [] }) => latency.map(({ firstWordMs }) => firstWordMs ?? Number.NaN)),
  };
}

export async function* bench(): AsyncGenerator<Figure> {
  await using bots = await startBots(TURNS, [300]);
  await using timer = await startChild("timer.ts");
  await hold(bots, 1, TURNS); // loads the modules
  const one = await hold(bots, 1, TURNS);
  await timer.ask();
  const all = await hold(bots, CALLS, TURNS);
  const machine = Number(await timer.ask());
  const { due, sent } = all.frames;
  const against = `${CALLS} calls of ${TURNS} turns at once, bots in another process`;
  yield { name: "voice_missed_frames", value: (due - sent) / due, unit: "share", against, bound: 0.01 };
  // what the machine takes from everybody: without other work on it, this is 0
  yield {
    name: "voice_missed_by_a_timer_alone",
    value: machine,
    unit: "share",
    against: "meanwhile, in its own process",
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
  yield { name: "voice_processor_ms_per_second", value: (all.cpuMs * 50) / sent, unit: "ms", against };
  yield { name: "voice_memory_of_a_call", value: all.bytes / CALLS / 2 ** 20, unit: "MiB", against };
  await using slow = await startBots(PLANTED.length, PLANTED);
  const { latencies } = await hold(slow, sized(8, 1), PLANTED.length);
  const errors = latencies.flatMap((call) =>
    call.slice(1).map((measured, turn) => Math.abs(measured - (PLANTED[turn] ?? 0))),
  );
  yield {
    name: "voice_latency_error",
    value: Math.max(...errors),
    unit: "ms",
    against: `${PLANTED.join(", ")} ms planted, ${latencies.length} calls at once`,
    bound: 40,
  };
}
