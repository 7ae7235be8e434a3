import { coverage } from "../../../agent/analysis/mod.ts";
import { defined } from "../../../base/values/mod.ts";
import type { AgentConnection } from "../../../call/connection/mod.ts";
import { createRecordings, fileRecordings, type RecordingStore, type Recordings } from "../../../call/models/mod.ts";
import { type AgentGraph, withNodeNames } from "../../../document/graph/mod.ts";
import { castBy, type Policy, type Scenario } from "../../../document/scenario/mod.ts";
import { RECORDING_MODES } from "../../../document/settings/mod.ts";
import { formatComparison, type RunComparison } from "../../../run/compare/mod.ts";
import {
  type CallQueue,
  estimate,
  type RunOptions,
  type RunReport,
  run,
  standInGraph,
} from "../../../run/runner/mod.ts";
import { DEFAULT_FILE, openRecordings } from "../../../run/store/mod.ts";
import type { ScenarioSummary } from "../../../run/summary/mod.ts";
import { type OpenQueue, openQueue } from "../../../run/worker/mod.ts";
import { codeVersion } from "../../project/mod.ts";
import { formatReport, type Reporter, styleFor } from "../../reporters/mod.ts";
import { type Arguments, type ExitCode, usage } from "../arguments.ts";
import { formatCoverageSummary, type MeasuredCoverage, measureCoverage, readMinCoverage } from "../coverage.ts";
import { formatEstimate } from "../format/mod.ts";
import type { Terminal } from "../io/mod.ts";
import { chooseReports, readComparison } from "../reports/mod.ts";
import { chooseScenarios } from "./load_run.ts";
import { createProgress } from "./progress.ts";
import { readChoice, readRunOptions } from "./read_settings.ts";
import { runLabels } from "./run_labels.ts";

/** An agent where it runs, in place of a graph. */
export interface LiveAgent {
  /** Looked up: the version stays the same in all calls. */
  readonly connection: AgentConnection;
  /** The graph that names its nodes; `undefined` if there is none. */
  readonly graph: AgentGraph | undefined;
  readonly unchecked: "refuse" | "report";
  readonly allowRealTools: boolean;
}

/**
 * Runs the selected calls, and reports the results.
 *
 * @param onReport Called with the report of the run; not with `--estimate`.
 */
export async function executeRun(
  agent: {
    /** With a live agent, its graph, or one without content. */
    readonly graph: AgentGraph;
    readonly live?: LiveAgent;
    readonly name: string;
    readonly policies?: readonly Policy[];
    readonly path?: string;
    /** All scenarios, if those to run were selected from more. */
    readonly all?: readonly Scenario[];
  },
  scenarios: readonly Scenario[],
  args: Arguments,
  terminal: Terminal,
  onReport: (report: RunReport) => void = () => {},
): Promise<ExitCode> {
  const files = [...args.texts("scenarios"), ...args.texts("tests")];
  const inputs = [
    { what: "the results database", path: args.text("db") ?? terminal.env.CALLWEAVE_DB_URL ?? DEFAULT_FILE },
    { what: "the recordings", path: args.text("recordings") },
    { what: "the prices", path: args.text("prices") },
    ...files.map((path) => ({ what: "the scenarios", path })),
    ...args.texts("policies").map((path) => ({ what: "the policies", path })),
    ...(agent.path === undefined ? [] : [{ what: "the agent", path: agent.path }]),
  ];
  const min = readMinCoverage(args);
  const calls = !(terminal.stdout.isTTY && terminal.live); // the live view has already shown them
  const fallback: Reporter = {
    onEnd: (report, { style }) => formatReport(withNodeNames(report, agent.graph), style, { calls }),
  };
  const reports = await chooseReports(args, terminal, { inputs, fallback });
  const { live } = agent;
  const asWritten = chooseScenarios(agent.graph, scenarios, args, terminal);
  const options = live ? await readLiveOptions(live, args, terminal) : await readRunOptions(agent, args, terminal);
  const selected = options.callers === undefined ? asWritten : castBy(options.callers, asWritten);
  if (args.has("estimate")) {
    const isQueued = args.text("queue") !== undefined;
    const share = { ...options.share, ...(isQueued ? { queue: CLOSED_QUEUE } : {}) };
    const estimated = estimate(live?.connection ?? agent.graph, selected, { ...options, share });
    const words = () => formatEstimate(estimated, { isQueued });
    terminal.out(args.has("json") ? `${JSON.stringify(estimated, null, 2)}\n` : words());
    return 0;
  }
  const sources = [...(agent.path === undefined ? [] : [agent.path]), ...files];
  const compare = await readComparison(args, terminal);
  await using chosen = await chooseRecordings(args, terminal);
  await using queued = await chooseQueue(args, terminal);
  using progress = createProgress(selected, terminal, { ...options, graph: agent.graph });
  const [version, labels] = await Promise.all([codeVersion(sources), runLabels(args, terminal)]);
  const report = await run(live?.connection ?? agent.graph, selected, {
    ...options,
    share: {
      ...options.share,
      selectedFrom: agent.all ?? scenarios,
      ...defined({ codeVersion: version, queue: queued.queue, labels }),
    },
    name: agent.name,
    judging: { ...options.judging, policies: agent.policies ?? [] },
    listeners: {
      onProgress: (event) => {
        progress.onProgress(event);
        reports.onEvent(event);
      },
    },
    ...(chosen.recordings ? { recordings: chosen.recordings } : {}),
  });
  progress.close();
  onReport(report);
  const places = files.length > 0 ? files : sources.slice(0, 1);
  const comparison = compare?.(report);
  const known = { graph: agent.graph, files: places, ...(comparison ? { comparison } : {}) };
  const written = await reports.write(report, known);
  if (!written.isPrinted)
    terminal.err(formatReport(withNodeNames(report, agent.graph), styleFor(terminal.stderr, terminal.env)));
  if (report.offline && written.isOther) {
    terminal.err("offline model: these results show that the flow runs, not how well it talks\n");
  }
  if (comparison) printComparison(comparison, written.isOther ? "stderr" : "stdout", terminal);
  const isAsked = min !== undefined || args.has("coverage");
  const covered = isAsked ? measureCoverage(agent.graph, coverage(agent.graph, report.results)) : undefined;
  if (covered) printCoverage(covered, min, report, written.isOther ? "stderr" : "stdout", terminal);
  const code = exitCodeOf(report, written.isComplete);
  return code === 0 && covered && min !== undefined && covered.percent < min ? 1 : code;
}

/** Options of a run with a live agent: `--model` is the callers' and the judge's, as the agent has its own. */
async function readLiveOptions(
  { connection, graph, unchecked, allowRealTools }: LiveAgent,
  args: Arguments,
  terminal: Terminal,
): Promise<RunOptions> {
  const named = { name: connection.name, graph: graph ?? standInGraph(connection) };
  const { turn, models = {}, ...options } = await readRunOptions(named, args, terminal);
  const { agent: model, ...others } = models;
  return {
    ...options,
    models: { ...defined({ caller: model, judge: model }), ...others },
    connection: { ...defined({ graph }), unchecked, allowRealTools },
    ...(args.text("turn") === undefined ? {} : defined({ turn })),
  };
}

/** Prints the differences from the compared run, below the report or on standard error. */
function printComparison(comparison: RunComparison, stream: "stdout" | "stderr", terminal: Terminal): void {
  const text = formatComparison(comparison, styleFor(terminal[stream], terminal.env));
  if (stream === "stdout") terminal.out(`\n${text}`);
  else terminal.err(text);
}

/** Prints the coverage of a run below its report, or to standard error if the report is for programs. */
function printCoverage(
  covered: MeasuredCoverage,
  min: number | undefined,
  { id, store }: RunReport,
  stream: "stdout" | "stderr",
  terminal: Terminal,
): void {
  const lines = formatCoverageSummary(covered, styleFor(terminal[stream], terminal.env), min);
  const rest = covered.uncovered.filter(({ kind }) => kind !== "none").length;
  const hint =
    rest === 0 || store === null ? [] : [`npx callweave coverage ${id} lists what is not covered, and how to reach it`];
  const text = `${[...lines, ...hint].join("\n")}\n`;
  if (stream === "stdout") terminal.out(`\n${text}`);
  else terminal.err(text);
}

/** The exit code of a run: 1 when a scenario failed, 3 when the run is incomplete. */
export function exitCodeOf(
  { scenarios, passed, storeError, recordingsError }: RunReport,
  isReported: boolean,
): ExitCode {
  const isBroken = ({ verdict, counts }: ScenarioSummary) => verdict === "undecided" && counts.error > 0;
  const isIncomplete = scenarios.some(isBroken) || storeError !== null || recordingsError !== null || !isReported;
  if (!scenarios.some(({ verdict }) => verdict === "fail") && isIncomplete) return 3;
  return passed ? 0 : 1;
}

/** Stands for the queue of an estimate, which does not reach Redis. */
const CLOSED_QUEUE: CallQueue = {
  feed: async () => {
    throw new TypeError("unreachable: an estimate runs no calls");
  },
};

/** The queue of a run; empty if the calls run in this process. */
interface ChosenQueue extends AsyncDisposable {
  readonly queue?: OpenQueue;
}

/** Opens the queue that the flags name. Dispose of it after the run. */
async function chooseQueue(args: Arguments, terminal: Terminal): Promise<ChosenQueue> {
  const url = args.text("queue");
  const seconds = args.number("worker-timeout");
  if (url === undefined) {
    if (seconds !== undefined) throw usage("--worker-timeout is for runs with a queue", "Pass --queue too");
    return { [Symbol.asyncDispose]: async () => {} };
  }
  const queue = await openQueue(url, {
    onWarning: ({ warning }) => terminal.err(`warning: ${warning}\n`),
    signal: terminal.signal,
    ...(seconds === undefined ? {} : { workerTimeoutMs: seconds * 1_000 }),
  });
  return { queue, [Symbol.asyncDispose]: queue.close };
}

/** The recordings of a run, until closed. */
export interface ChosenRecordings extends AsyncDisposable {
  /** Absent: the run has none. */
  readonly recordings?: Recordings;
}

/**
 * Opens the recordings that the flags name: a `*.json` file, or any libSQL database.
 *
 * @throws {UsageError} `usage`.
 * @throws {StoreError} `store-unavailable`.
 */
async function chooseRecordings(args: Arguments, terminal: Terminal): Promise<ChosenRecordings> {
  const mode = readChoice(args, "mode", RECORDING_MODES);
  const target = args.text("recordings");
  if (target === undefined) {
    if (mode !== undefined) throw usage("--mode needs --recordings", "Add --recordings FILE");
    return { [Symbol.asyncDispose]: async () => {} };
  }
  if (mode === "off") return { [Symbol.asyncDispose]: async () => {} };
  const store = await openStoreOf(target, terminal);
  return {
    recordings: createRecordings(store, mode ?? "auto"),
    [Symbol.asyncDispose]: async () => {
      if (Symbol.asyncDispose in store) await store[Symbol.asyncDispose]();
    },
  };
}

async function openStoreOf(
  target: string,
  { env, signal }: Terminal,
): Promise<RecordingStore | (RecordingStore & AsyncDisposable)> {
  if (/\.json$/i.test(target) && !/^[a-z][a-z0-9+.-]+:/i.test(target)) return fileRecordings(target);
  const { CALLWEAVE_DB_URL: url, CALLWEAVE_DB_TOKEN: authToken } = env;
  // the environment's token is only for the environment's server
  return await openRecordings(target, { signal, ...(url === target && authToken ? { authToken } : {}) });
}
