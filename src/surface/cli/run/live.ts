import {
  type Clock,
  cut,
  formatDollars,
  oneLine,
  pad,
  paint,
  type Style,
  SYSTEM_CLOCK,
  terminalWidth,
} from "../../../base/values/mod.ts";
import type { RunEvent } from "../../../run/runner/mod.ts";
import type { ResultRecord } from "../../../run/store/mod.ts";
import type { StreamInfo } from "../io/mod.ts";

/** Minimum time between two redraws. */
const REDRAW_MS = 100;
/** Maximum time between two redraws, because the view shows the duration of calls. */
const TICK_MS = 1_000;
/** For terminals of unknown height. */
const DEFAULT_ROWS = 24;

/** A view of a run that is redrawn in place. */
export interface LiveView extends Disposable {
  readonly onProgress: (event: RunEvent) => void;
}

/** Options of {@link createLiveView}. */
export interface LiveViewOptions {
  readonly scenarios: readonly { readonly name: string; readonly trials: number }[];
  /** Replaces the lines on the terminal. */
  readonly draw: (lines: readonly string[]) => void;
  readonly stream: StreamInfo;
  readonly isColored: boolean;
  /** Aborted when the run is being stopped. */
  readonly signal: AbortSignal;
  readonly clock?: Pick<Clock, "now" | "after">;
}

/** Shows a run until disposed, which removes the lines. */
export function createLiveView({
  scenarios,
  draw,
  stream,
  isColored,
  signal,
  clock = SYSTEM_CLOCK,
}: LiveViewOptions): LiveView {
  let state = startLive(scenarios, clock.now());
  let drawnMs = Number.NEGATIVE_INFINITY;
  let callOff = () => {};
  let isOver = false;
  const redraw = () => {
    callOff();
    if (isOver) return;
    drawnMs = clock.now();
    draw(liveLines(state, styleOf(stream, isColored), drawnMs));
    callOff = clock.after(TICK_MS, redraw);
  };
  const schedule = () => {
    const waitMs = REDRAW_MS - (clock.now() - drawnMs);
    if (waitMs <= 0) return redraw();
    callOff();
    callOff = clock.after(waitMs, redraw);
  };
  const stop = () => {
    state = { ...state, isStopping: true };
    schedule();
  };
  signal.addEventListener("abort", stop, { once: true });
  return {
    onProgress: (event) => {
      state = nextLive(state, event, clock.now());
      schedule();
    },
    [Symbol.dispose]: () => {
      isOver = true;
      callOff();
      signal.removeEventListener("abort", stop);
      draw([]);
    },
  };
}

/** The size is read for each redraw, because it changes when a window is resized. */
function styleOf({ columns, rows }: StreamInfo, color: boolean): LiveStyle {
  return { color, width: Math.max(20, columns || 80), height: Math.max(1, (rows || DEFAULT_ROWS) - 1) };
}

/** Size and colours of the terminal. */
export interface LiveStyle extends Style {
  /** Maximum number of lines. */
  readonly height: number;
}

const WIDEST_NAME = 40;
/** Minimum number of lines for calls when there are many scenarios too. */
const FEWEST_CALLS = 3;

/** The live view of a run: the totals, the running calls and, with repeats, every scenario. */
export function liveLines(state: LiveState, style: LiveStyle, nowMs: number): readonly string[] {
  const width = style.width - 1; // a full line would wrap on some terminals
  const calls = [...state.calls.values()];
  const repeats = state.scenarios.some(({ planned }) => planned > 1);
  const heads = [...wrapped(totalsOf(state, calls, nowMs), width), ...(state.isStopping ? [STOPPING] : [])];
  const room = Math.max(0, style.height - heads.length);
  const scenarios = repeats ? state.scenarios.filter(isOpen) : [];
  const forCalls = Math.min(calls.length, Math.max(FEWEST_CALLS, room - scenarios.length - 1));
  const columns = nameColumns(state, calls, width);
  const callLines = shortened(
    calls.map((call) => callLine(call, { columns, repeats, width, nowMs })),
    Math.min(room, forCalls),
    "running",
    width,
  );
  const left = room - callLines.length - 1;
  const scenarioLines =
    scenarios.length > 0 && left > 0
      ? [
          "",
          ...shortened(
            scenarios.map((each) => scenarioLine(each, columns, style)),
            left,
            "scenarios",
            width,
          ),
        ]
      : [];
  return [
    ...heads.map((line) => paint(style, "bold", cut(line, width))),
    ...callLines.map((line) => cut(line, width)),
    ...scenarioLines,
  ].slice(0, Math.max(1, style.height));
}

const STOPPING = "stopping: running calls end as cancelled";

function totalsOf(state: LiveState, calls: readonly LiveCall[], nowMs: number): readonly string[] {
  const { scenarios, modelCalls, costUsd, startedMs } = state;
  const sum = (key: "planned" | "passed" | "failed" | "other") => scenarios.reduce((all, each) => all + each[key], 0);
  const [passed, failed, other] = [sum("passed"), sum("failed"), sum("other")];
  const leftMs = timeLeft(state, nowMs);
  return [
    `${passed + failed + other} of ${sum("planned")} calls`,
    `${calls.length} running`,
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(other > 0 ? [`${other} not decided`] : []),
    `${modelCalls.toLocaleString("en-US")} model calls`,
    ...(costUsd === undefined || costUsd === 0 ? [] : [formatDollars(costUsd)]),
    `${formatDuration(nowMs - startedMs)}${leftMs === undefined ? "" : `, about ${formatDuration(leftMs)} left`}`,
  ];
}

/** Estimated time until the last call ends, from the duration of earlier calls and the concurrency. */
function timeLeft({ scenarios, calls, finished, finishedMs }: LiveState, nowMs: number): number | undefined {
  if (finished === 0 || calls.size === 0) return undefined;
  const each = finishedMs / finished;
  const waiting = scenarios.reduce(
    (sum, { planned, passed, failed, other }) => sum + planned - passed - failed - other,
    0,
  );
  const rests = [...calls.values()].map(({ startedMs }) => Math.max(0, each - (nowMs - startedMs)));
  const unstarted = Math.max(0, waiting - calls.size) * each;
  return Math.max(...rests, (unstarted + rests.reduce((sum, rest) => sum + rest, 0)) / calls.size);
}

function callLine(
  { scenario, trial, node, turns, startedMs }: LiveCall,
  { columns, repeats, width, nowMs }: { columns: number; repeats: boolean; width: number; nowMs: number },
): string {
  const name = pad(oneLine(scenario), columns) + (repeats ? ` #${trial}`.padEnd(5) : "");
  const tail = ` ${String(turns).padStart(3)} ${turns === 1 ? "turn " : "turns"} ${formatDuration(nowMs - startedMs).padStart(6)}`;
  const room = width - 2 - terminalWidth(name) - 2 - tail.length;
  return room < 4 ? `  ${name}${tail}` : `  ${name}  ${pad(oneLine(node) || "starting", room)}${tail}`;
}

function scenarioLine(
  { name, planned, passed, failed, other }: LiveScenario,
  columns: number,
  style: LiveStyle,
): string {
  const counted = `${passed}/${passed + failed} passed of ${planned}`;
  const rest = other > 0 ? `, ${other} not decided` : "";
  const mark = failed > 0 ? paint(style, "red", "✗") : paint(style, passed > 0 ? "green" : "dim", "·");
  return `  ${mark} ${pad(oneLine(name), columns)}  ${cut(counted + rest, Math.max(1, style.width - columns - 7))}`;
}

/** Whether some of a scenario's trials have not finished. */
function isOpen({ planned, passed, failed, other }: LiveScenario): boolean {
  return passed + failed + other < planned;
}

function nameColumns({ scenarios }: LiveState, calls: readonly LiveCall[], width: number): number {
  const names = [...scenarios.map(({ name }) => name), ...calls.map(({ scenario }) => scenario)];
  return Math.min(
    WIDEST_NAME,
    Math.max(8, Math.floor(width / 3)),
    Math.max(0, ...names.map((name) => terminalWidth(oneLine(name)))),
  );
}

/** Shortens a list to a number of lines; the last line says how many are left out. */
function shortened(lines: readonly string[], most: number, what: string, width: number): readonly string[] {
  if (lines.length <= most) return lines;
  if (most <= 0) return [];
  return [...lines.slice(0, most - 1), cut(`  … ${lines.length - most + 1} more ${what}`, width)];
}

/** Joins parts into lines of a maximum width. */
function wrapped(parts: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && terminalWidth(`${last} · ${part}`) <= width)
      lines[lines.length - 1] = `${last} · ${part}`;
    else lines.push(part);
  }
  return lines;
}

/** `0:07`, `12:30`, `1:02:03`. */
function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

export interface LiveCall {
  readonly scenario: string;
  readonly trial: number;
  readonly startedMs: number;
  /** The current node. */
  readonly node: string;
  /** Finished turns. */
  readonly turns: number;
}

export interface LiveScenario {
  readonly name: string;
  /** Maximum number of trials. */
  readonly planned: number;
  readonly passed: number;
  readonly failed: number;
  /** Trials that say nothing about the agent: errors, cancelled and invalid ones. */
  readonly other: number;
}

export interface LiveState {
  readonly startedMs: number;
  /** In the order of the run. */
  readonly scenarios: readonly LiveScenario[];
  /** In the order in which they started, by `liveCallKey`. */
  readonly calls: ReadonlyMap<string, LiveCall>;
  /** Model calls of the finished calls. */
  readonly modelCalls: number;
  /** Dollars for the finished calls; `undefined` when a price is unknown. */
  readonly costUsd: number | undefined;
  /** Total duration of the finished calls. */
  readonly finishedMs: number;
  readonly finished: number;
  /** Whether the run is being stopped. */
  readonly isStopping: boolean;
}

/** The state before the first call. */
export function startLive(
  scenarios: readonly { readonly name: string; readonly trials: number }[],
  startedMs: number,
): LiveState {
  return {
    startedMs,
    scenarios: plannedScenarios(scenarios.map(({ name, trials }) => ({ name, calls: trials }))),
    calls: new Map(),
    modelCalls: 0,
    costUsd: 0,
    finishedMs: 0,
    finished: 0,
    isStopping: false,
  };
}

function plannedScenarios(
  scenarios: readonly { readonly name: string; readonly calls: number }[],
): LiveState["scenarios"] {
  return scenarios
    .filter(({ calls }) => calls > 0)
    .map(({ name, calls }) => ({ name, planned: calls, passed: 0, failed: 0, other: 0 }));
}

/** The state after an event of the run. */
export function nextLive(state: LiveState, event: RunEvent, nowMs: number): LiveState {
  switch (event.kind) {
    case "run-start": // fewer in a shard, and in a run that is resumed
      return { ...state, scenarios: plannedScenarios(event.scenarios) };
    case "call-start": {
      const { scenario, trial } = event;
      const call: LiveCall = { scenario, trial, startedMs: nowMs, node: "", turns: 0 };
      return { ...state, calls: new Map(state.calls).set(liveCallKey(event), call) };
    }
    case "node":
      return withCall(state, event, (call) => ({ ...call, node: event.node }));
    case "turn-end":
      return withCall(state, event, (call) => ({ ...call, turns: call.turns + 1 }));
    case "call-end":
      return ended(state, liveCallKey(event), event.result);
    default:
      return state;
  }
}

interface NamedCall {
  readonly scenario: string;
  readonly trial: number;
  readonly attempt?: number;
}

/** Tells the calls of a run apart. */
function liveCallKey({ scenario, trial, attempt = 1 }: NamedCall): string {
  return JSON.stringify([scenario, trial, attempt]);
}

function withCall(state: LiveState, named: NamedCall, change: (call: LiveCall) => LiveCall): LiveState {
  const key = liveCallKey(named);
  const call = state.calls.get(key);
  return call ? { ...state, calls: new Map(state.calls).set(key, change(call)) } : state;
}

function ended(state: LiveState, key: string, result: ResultRecord): LiveState {
  const { status, usage, durationMs, scenario } = result;
  const calls = new Map(state.calls);
  const wasRunning = calls.delete(key);
  const count = status === "pass" ? "passed" : status === "fail" ? "failed" : "other";
  return {
    ...state,
    calls,
    scenarios: state.scenarios.map((each) => (each.name === scenario ? { ...each, [count]: each[count] + 1 } : each)),
    modelCalls: state.modelCalls + usage.calls,
    costUsd: state.costUsd === undefined || usage.costUsd === undefined ? undefined : state.costUsd + usage.costUsd,
    finishedMs: state.finishedMs + (wasRunning ? durationMs : 0),
    finished: state.finished + (wasRunning ? 1 : 0),
  };
}
