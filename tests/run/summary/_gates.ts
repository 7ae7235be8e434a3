import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRun } from "../../../api/calls.ts";
import { flow, offline, openStore, type RunOptions, run, scenario } from "../../../mod.ts";
import { isCallweaveError } from "../../../src/base/errors.ts";
import { requireRun } from "../../../src/deploy/gate.ts";
import type { AgentGraph } from "../../../src/document/graph/mod.ts";
import type { Scenario } from "../../../src/document/scenario/mod.ts";
import type { RunRecord, Store } from "../../../src/run/store/mod.ts";
import { standingOf } from "../../../src/run/summary/mod.ts";
import { type OpenQueue, openQueue, startWorker } from "../../../src/run/worker/mod.ts";
import type { Watched } from "../../../src/surface/cli/run/watch/messages.ts";
import { runAgain } from "../../../src/surface/cli/run/watch/run_again.ts";
import { testScenario } from "../../../src/surface/testing/test_scenarios.ts";
import { seeded } from "../../platforms/mutate.ts";
import { callweave, inTerminal } from "../../surface/cli/_terminal.ts";

const NAMES = ["orders", "returns", "thanks"] as const;

function agent(prompt: string): AgentGraph {
  return flow("desk").conversation("greet", { prompt }).compile();
}

/** The present version of the agent, and another one. */
export const GRAPHS = [agent("Greet the caller."), agent("Greet the caller in German.")] as const;

/** The scenarios of the agent; `edited` has another content. */
export function scenariosOf(graph: AgentGraph, edited?: string): readonly Scenario[] {
  return NAMES.map((name) =>
    scenario(name, graph)
      .says(name === edited ? "Good evening" : "Good morning")
      .visits("greet")
      .toJSON(),
  );
}

/** What makes a run: `run()`, the tests of a test runner, a queue with workers, or `callweave run --watch`. */
export type Way = "run" | "testing" | "queue" | "watch";

/** What is asked of a run. */
export interface Part {
  readonly way: Way;
  readonly version: 0 | 1;
  readonly edited: string | undefined;
  readonly selected: readonly string[];
  readonly shard: { readonly index: number; readonly total: number } | undefined;
  /** Scenarios whose caller fails. */
  readonly broken: ReadonlySet<string>;
  readonly repeat: number;
  readonly isAborted: boolean;
  /** The database lacks a result: it is spooled or lost. */
  readonly isLossy: boolean;
}

/** A whole run. */
export const WHOLE: Part = {
  way: "run",
  version: 0,
  edited: undefined,
  selected: NAMES,
  shard: undefined,
  broken: new Set(),
  repeat: 1,
  isAborted: false,
  isLossy: false,
};

function choose(random: () => number, ways: readonly Way[]): Part {
  const chance = (of: number) => random() < of;
  const some = NAMES.filter(() => chance(0.6));
  const way = chance(0.6) ? "run" : (ways[Math.floor(random() * ways.length)] ?? "run");
  const hasCallers = way === "run" || way === "testing";
  const isSplit = way === "run" || way === "queue";
  const part = {
    way,
    version: chance(0.1) ? 1 : 0,
    edited: chance(0.15) ? NAMES[Math.floor(random() * NAMES.length)] : undefined,
    selected: chance(0.25) && some.length > 0 ? some : NAMES,
    shard: chance(0.15) ? { index: 1, total: 1 + Math.floor(random() * 2) } : undefined,
    broken: new Set(chance(0.2) ? some.slice(0, 1) : []),
    repeat: chance(0.1) ? 2 : 1,
    isAborted: chance(0.1),
    isLossy: chance(0.1),
  } as const;
  return {
    ...part,
    shard: isSplit ? part.shard : undefined,
    broken: new Set(hasCallers ? part.broken : []),
    isAborted: hasCallers && part.isAborted,
    repeat: way === "watch" ? 1 : part.repeat,
  };
}

/** The shard that a part runs as; none of more shards than scenarios. */
function shardOf({ shard, selected }: Part): Part["shard"] {
  return shard && shard.total <= selected.length ? shard : undefined;
}

/** Runs a part as `run()`, a queue or tests do; the first call of an aborted one aborts it. */
export async function runPart(part: Part, store: Store, share: RunOptions["share"] = {}): Promise<RunRecord> {
  const graph = GRAPHS[part.version];
  const all = scenariosOf(graph, part.edited);
  const abort = new AbortController();
  const shard = shardOf(part);
  const createCaller: RunOptions["createCaller"] = ({ name, says }) => {
    if (part.isAborted) abort.abort();
    if (part.broken.has(name)) throw new Error("this caller is broken");
    const lines = says.filter((line) => typeof line === "string");
    return {
      next: async () => {
        const say = lines.shift();
        return say === undefined ? { hangUp: "caller_ended" } : { say };
      },
    };
  };
  const options: RunOptions = {
    models: { agent: offline() },
    store,
    repeat: { times: part.repeat },
    limits: { concurrency: part.isAborted ? 1 : 4 },
    share: { codeVersion: "one", ...share },
    signal: abort.signal,
    ...(part.way === "queue" ? {} : { createCaller }),
  };
  if (part.way === "testing") {
    const opened = await openRun(graph, all, options);
    // the filters of the test runner leave the others out
    for (const name of part.selected)
      await testScenario(opened, name, { timeoutMs: 600_000, signal: undefined }).catch((error: unknown) => {
        if (!isCallweaveError(error) || error.code !== "scenario-failed") throw error;
      });
    return await store.findRun((await opened.finish()).id);
  }
  const selected = all.filter(({ name }) => part.selected.includes(name));
  const report = await run(graph, selected, {
    ...options,
    share: { ...options.share, selectedFrom: all, ...(shard ? { shard } : {}) },
  });
  return await store.findRun(report.id);
}

/** Whether a run is whole for the present version and scenarios, by what was asked of it. */
function isWhole(part: Part): boolean {
  return (
    part.version === 0 &&
    part.edited === undefined &&
    part.selected.length === NAMES.length &&
    (shardOf(part)?.total ?? 1) === 1 &&
    !NAMES.some((name) => part.broken.has(name)) &&
    !part.isAborted &&
    !part.isLossy
  );
}

/** A store that lacks one of a run's results. */
export function withoutOne(store: Store): Pick<Store, "listRuns" | "findRun" | "listResults"> {
  return {
    listRuns: (query) => store.listRuns(query),
    findRun: (id, wait) => store.findRun(id, wait),
    listResults: async (query) => (await store.listResults(query)).slice(1),
  };
}

/** What came of sequences of runs. */
export interface GateReport {
  readonly sequences: number;
  readonly wholes: number;
  /** How many runs of each way were judged. */
  readonly byWay: ReadonlyMap<Way, number>;
  /** Decisions that differ from what was asked of the run. */
  readonly wrong: readonly string[];
}

/**
 * Random runs against every place that decides by a run: gates of deployments, baselines, `coverage --min-coverage` and
 * `runs compare`.
 *
 * @param redis URL of a Redis; absent: no run has a queue.
 */
export async function judgeGates(sequences: number, { redis }: { readonly redis?: string } = {}): Promise<GateReport> {
  const folder = await mkdtemp(join(tmpdir(), "callweave-test-gates-"));
  const database = join(folder, "results.db");
  try {
    await using file = await openStore(database);
    if (redis === undefined) return await judgeIn({ folder, database, file }, sequences);
    await using queue = await openQueue(redis);
    await using _worker = await startWorker(redis, { store: database });
    return await judgeIn({ folder, database, file, queue }, sequences);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Place {
  readonly folder: string;
  readonly database: string;
  readonly file: Store;
  readonly queue?: OpenQueue;
}

async function judgeIn({ folder, database, file, queue }: Place, sequences: number): Promise<GateReport> {
  const random = seeded(27);
  const byWay = new Map<Way, number>();
  const wrong: string[] = [];
  let wholes = 0;
  const ways: readonly Way[] = [
    "testing",
    "testing",
    "watch",
    ...(queue ? (["queue", "queue", "queue"] as const) : []),
  ];
  let memory = await openStore(":memory:");
  for (let sequence = 0; sequence < sequences; sequence++) {
    if (sequence % 50 === 49) {
      await memory.close();
      memory = await openStore(":memory:");
    }
    const part = choose(random, ways);
    byWay.set(part.way, (byWay.get(part.way) ?? 0) + 1);
    const isInFile = part.way === "queue" || part.way === "watch" || random() < 0.05;
    const store = isInFile ? file : memory;
    const { part: done, stored } =
      part.way === "watch"
        ? await watchPart(part, store, { folder, database, random })
        : await makePart(part, store, { queue, random });
    const { isTaken, found } = await decide(done, store, stored, isInFile ? database : undefined);
    if (isTaken) wholes++;
    wrong.push(...found.map((words) => `${JSON.stringify({ ...done, broken: [...done.broken] })}: ${words}`));
  }
  await memory.close();
  return { sequences, wholes, byWay, wrong };
}

/** A run and what it had in the end. */
interface Made {
  readonly part: Part;
  readonly stored: RunRecord;
}

/** Runs a part; some of those that were aborted or had errors are resumed, and have everything then. */
async function makePart(
  part: Part,
  store: Store,
  { queue, random }: { readonly queue: OpenQueue | undefined; readonly random: () => number },
): Promise<Made> {
  const stored = await runPart(part, store, queue && part.way === "queue" ? { queue } : {});
  const isResumed = part.way === "run" && (part.isAborted || part.broken.size > 0) && random() < 0.3;
  if (!isResumed) return { part, stored };
  const whole: Part = { ...part, isAborted: false, broken: new Set() };
  return { part: whole, stored: await runPart(whole, store, { resume: stored.id }) };
}

/** Watches: runs a version, saves another one, and runs what that reaches. The part says what the last run had. */
async function watchPart(
  part: Part,
  store: Store,
  { folder, database, random }: { readonly folder: string; readonly database: string; readonly random: () => number },
): Promise<Made> {
  const [source, tests] = [join(folder, "agent.json"), join(folder, "tests.json")];
  const save = async (version: 0 | 1, edited: string | undefined) => {
    await writeFile(source, JSON.stringify(GRAPHS[version]));
    await writeFile(tests, JSON.stringify(scenariosOf(GRAPHS[version], edited)));
  };
  const isPart = part.selected.length < NAMES.length;
  const values = { tests: [tests], db: [database], ...(isPart ? { scenario: part.selected } : {}) };
  const args = { positionals: { SOURCE: source }, values, switches: [] };
  let watched: Watched | undefined;
  const runOnce = () =>
    inTerminal(async (terminal) => {
      const answer = await runAgain({ args, ...(watched ? { watched } : {}) }, terminal);
      watched = answer.watched;
      return answer.code;
    });
  const before =
    random() < 0.5 ? { version: part.version, edited: part.edited } : { version: 0 as const, edited: "orders" };
  await save(before.version, before.edited);
  await runOnce();
  await save(part.version, part.edited);
  const { err } = await runOnce();
  const reached = Number(/the change reaches (\d+) of/.exec(err)?.[1] ?? 0);
  const [newest] = await store.listRuns({ limit: 1 });
  if (!newest) throw new Error(`nothing was stored: ${err}`);
  // without a change, the first run is the last one
  const selected = reached === 0 ? part.selected : part.selected.slice(0, reached);
  return { part: { ...part, selected }, stored: newest };
}

/** Asks every place that decides by a run, and compares the answers with what was asked of it. */
async function decide(part: Part, store: Store, stored: RunRecord, database: string | undefined) {
  const wanted = scenariosOf(GRAPHS[0]);
  const isExpected = isWhole(part);
  const seen = part.isLossy ? withoutOne(store) : store;
  const found: string[] = [];
  const expect = (place: string, isTaken: boolean, isRight: boolean, why: unknown) => {
    if (isTaken !== isRight) found.push(`${place} ${isTaken ? "takes" : "refuses"} it: ${String(why)}`);
  };
  const { missing } = await standingOf(seen, stored, { wanted });
  const lacking = [...missing, ...(part.version === 1 ? ["another version"] : [])];
  expect("standingOf()", lacking.length === 0, isExpected, lacking.join("; "));
  const refusal = await refusalOf(requireRun(GRAPHS[0], seen, { run: stored.id, scenarios: wanted }));
  expect("requireRun()", refusal === undefined, isExpected, refusal);
  if (refusal !== undefined && !refusal.startsWith("gate: ")) found.push(`requireRun() says ${refusal}`);
  // these stand for the scenarios of the run's own version
  const isOwn = isWhole({ ...part, version: 0, edited: undefined, isLossy: false });
  const named = await refusalOf(store.setBaseline("main", stored.id));
  expect("setBaseline()", named === undefined, isOwn, named);
  if (named !== undefined && !named.startsWith("partial-run: ")) found.push(`setBaseline() says ${named}`);
  if (database !== undefined) {
    const covered = await callweave(["coverage", stored.id, "--db", database, "--min-coverage", "0"]);
    expect("coverage --min-coverage", covered.code === 0, isOwn, covered.err);
    const compared = await callweave(["runs", "compare", stored.id, stored.id, "--db", database, "--fail-on", "worse"]);
    expect(
      "runs compare",
      !compared.err.includes("not compared as a whole"),
      isOwn,
      `${compared.code} ${compared.err}`,
    );
  }
  return { isTaken: refusal === undefined, found };
}

async function refusalOf(work: Promise<unknown>): Promise<string | undefined> {
  return await work.then(
    () => undefined,
    (error: unknown) => (isCallweaveError(error) ? `${error.code}: ${error.message}` : String(error)),
  );
}
