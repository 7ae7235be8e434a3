import process from "node:process";
import { connect } from "../../api/connect.ts";
import { run } from "../../mod.ts";
import { hummingModels, tone } from "../../tests/call/voice/_tones.ts";
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

interface Held {
  readonly wallMs: number;
  readonly longestMs: number;
  readonly cpuMs: number;
  readonly bots: readonly ScriptedBot[];
}

/** Holds calls at once; the bots answer in the same process. */
async function hold(calls: number): Promise<Held> {
  await using server = await startTwilio({ replies: [HELLO, ...Array.from({ length: TURNS }, () => MONDAY)] });
  const agent = connect.twilio({ url: server.socketUrl, ...hummingModels(), concurrency: calls, hangUpMs: 0 });
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
    name: "voice: frames of 20 ms that were missed",
    value: missedShare(all.bots),
    unit: "share",
    against,
    bound: 0.01,
  };
  yield {
    name: "voice: time of all calls",
    value: all.wallMs / all.longestMs,
    unit: "ratio",
    against: "the longest of them",
    bound: 1.15,
  };
  yield {
    name: "voice: time of a call among many",
    value: all.longestMs / one.longestMs,
    unit: "ratio",
    against: "a call alone",
    bound: 1.15,
  };
  yield { name: "voice: processor time of a second of a call", value: all.cpuMs / seconds, unit: "ms", against };
}
