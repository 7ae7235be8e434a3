import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { openStore } from "../../src/run/store/mod.ts";
import { type Figure, sized } from "../figure.ts";
import { type MadeDatabase, makeDatabase } from "./database.ts";
import { panAgent } from "./frames.ts";
import { type Question, questionsOf } from "./requests.ts";
import { type ServerProcess, startBare, startStudio } from "./server.ts";
import { ask, type QuestionTime, timeOf } from "./times.ts";
import { watchRun } from "./viewers.ts";

const SIZE = {
  results: sized(100_000, 90),
  largeRuns: sized(6, 4),
  largeResults: sized(10_000, 12),
  templateResults: sized(1_000, 10),
  smallResults: sized(200, 5),
  scenarios: sized(100, 5),
  nodes: sized(500, 100),
};
const WATCHING = { viewers: sized(50, 4), scenarios: sized(100, 10), repeat: sized(10, 2) };
/** How often a question is asked whose answer may be in memory. */
const TIMES = sized(9, 2);
const MOST_MB = 300;
/** Milliseconds of a frame at 60 frames a second, with the timer's own deviation. */
const FRAME_MS = 17;

/**
 * The studio with 100,000 results, of which 10,000 are of one run: how long its answers take, compared with a Hono
 * handler that only sends them; its memory; whether each viewer of a live run gets every event once; and the frames of
 * the picture of a large agent while it is panned.
 */
export async function* bench(): AsyncIterable<Figure> {
  const folder = await mkdtemp(join(tmpdir(), "callweave-bench-studio-"));
  const db = join(folder, "results.db");
  const made = await makeDatabase(db, SIZE);
  const studio = await startStudio(db, folder);
  try {
    yield* answerFigures(studio, folder, await questions(db, made));
    yield* viewerFigures(studio, db);
    yield await memoryFigure(studio);
    yield* frameFigures(studio, made);
  } finally {
    await studio.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function questions(db: string, made: MadeDatabase): Promise<readonly Question[]> {
  await using store = await openStore(db);
  const calls = await store.listResults({ runId: made.large[0] ?? "", limit: 100 });
  return questionsOf(made, (time) => calls[(time * 7) % calls.length]?.id ?? "");
}

/** Indexes all words first, as the server does in the background. */
async function* answerFigures(
  studio: ServerProcess,
  folder: string,
  asked: readonly Question[],
): AsyncIterable<Figure> {
  const started = performance.now();
  while (JSON.parse((await ask(studio.address, "api/v1/search?q=zebra")).text).waiting > 0) await setTimeout(200);
  const size = `${SIZE.results} results, ${SIZE.largeResults} of a run`;
  yield { name: "indexed_ms", value: Math.round(performance.now() - started), unit: "ms", against: size };
  const found: QuestionTime[] = [];
  for (const question of asked) {
    const path = (time: number) => `api/v1/${question.path(time)}`;
    found.push(await timeOf(studio, question, { path, times: question.times ?? TIMES }));
  }
  for (const { own, bare } of await withBare(folder, found)) {
    const { name, bounds } = own.question;
    const [ms, cpuMs] = [round(bare.ms), round(bare.cpuMs)];
    const kilobytes = Math.round(own.answer.length / 1_000);
    const against = `${kilobytes} KB, which a bare handler sends in ${ms} ms, ${cpuMs} ms of its processor`;
    yield { name: `${name}_ms`, value: round(own.ms), unit: "ms", against, bound: bounds.ms };
    const ratio = round(own.cpuMs / bare.cpuMs);
    const cost = `${round(own.cpuMs)} ms of the processor`;
    yield { name: `${name}_cpu_over_bare`, value: ratio, unit: "ratio", against: cost, bound: bounds.overBare };
  }
}

interface Compared {
  readonly own: QuestionTime;
  readonly bare: QuestionTime;
}

/** What a Hono handler takes that only sends the same answers. */
async function withBare(folder: string, found: readonly QuestionTime[]): Promise<readonly Compared[]> {
  const file = join(folder, "answers.json");
  const answers = found.map(({ question, answer }) => [question.name, JSON.parse(answer)]);
  await writeFile(file, JSON.stringify(Object.fromEntries(answers)));
  const server = await startBare(file, folder);
  try {
    const compared: Compared[] = [];
    for (const own of found) {
      const { question } = own;
      const path = () => question.name;
      compared.push({ own, bare: await timeOf(server, question, { path, times: 3 * TIMES }) });
    }
    return compared;
  } finally {
    await server.stop();
  }
}

async function* viewerFigures(studio: ServerProcess, db: string): AsyncIterable<Figure> {
  const { viewers, scenarios, repeat } = WATCHING;
  const { events, lost, doubled, cuts, reads, cpuMs, wallMs } = await watchRun(studio, db, WATCHING);
  const against = `${viewers} viewers of ${scenarios * repeat} calls: ${events} events each, ${cuts} connections cut`;
  yield { name: "events_lost", value: lost, unit: "events", against, bound: 0 };
  yield { name: "events_doubled", value: doubled, unit: "events", against, bound: 0 };
  const cost = `${Math.round(cpuMs)} ms of ${Math.round(wallMs)} ms, in which the viewers read the run ${reads} times`;
  yield { name: "viewers_cores", value: round(cpuMs / wallMs), unit: "cores", against: cost, bound: 1 };
}

async function memoryFigure(studio: ServerProcess): Promise<Figure> {
  const { peakMb, memoryMb } = await studio.usage();
  const against = `the most that it was; ${Math.round(memoryMb)} MB at the end`;
  return { name: "memory_mb", value: Math.round(peakMb), unit: "MB", against, bound: MOST_MB };
}

async function* frameFigures(studio: ServerProcess, { agent, nodes }: MadeDatabase): AsyncIterable<Figure> {
  const { medianMs, p95Ms, bareMs, workMs } = await panAgent(studio.address, agent);
  const against = `${nodes} nodes, panned in Chromium without a graphics card; an empty page: ${round(bareMs)} ms`;
  yield { name: "frame_ms", value: round(medianMs), unit: "ms", against, bound: FRAME_MS };
  yield { name: "frame_p95_ms", value: round(p95Ms), unit: "ms", against };
  yield { name: "frame_over_bare", value: round(medianMs / bareMs), unit: "ratio", against, bound: 1.1 };
  yield { name: "frame_work_ms", value: round(workMs), unit: "ms", against: "scripts, styles and layout of a frame" };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
