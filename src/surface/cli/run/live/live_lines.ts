import { cut, formatDollars, oneLine, pad, paint, type Style, terminalWidth } from "../../../../base/values/mod.ts";
import type { LiveCall, LiveScenario, LiveState } from "./live_state.ts";

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
