import { formatSeconds, oneLine, paint, plural, type Style } from "../../../base/values/mod.ts";
import type { Measure, MeasureRate, WatchReport } from "../../../run/watch/mod.ts";

/** How a report is printed. */
export interface WatchText {
  readonly style: Style;
  /** Flags of `calls to-scenario` for the calls of the report. */
  readonly scenarioFlags: string;
}

/** Formats a report for people: what got worse, with the calls that show it, then what cannot be said. */
export function formatWatch(report: WatchReport, { style, scenarioFlags }: WatchText): string {
  const { from, environment, window, baseline, measures, minimum, evaluated, at } = report;
  const place = [from, ...(environment === null ? [] : [oneLine(environment)])].join(" ");
  const [worse, few, steady] = (["worse", "too-few", "steady"] as const).map((state) =>
    measures.filter((each) => each.state === state),
  );
  const lines = [
    `${place}, ${minuteOf(at)}: ${plural(window.calls, "call")} since ${minuteOf(window.from)}, ${baseline.calls} in the ${daysOf(baseline)} before`,
    paint(style, report.state === "worse" ? "red" : "bold", summaryOf(report)),
    ...(worse ?? []).flatMap((each) => ["", ...worseLines(each, style, scenarioFlags)]),
    ...((few ?? []).length > 0 ? ["", `too few calls to say (${minimum} are needed in each span):`] : []),
    ...(few ?? []).map((each) => `  ${titleOf(each)}: ${each.window.trials} now, ${each.baseline.trials} before`),
    ...((steady ?? []).length > 0 ? ["", "not worse by more than noise:"] : []),
    ...(steady ?? []).map((each) => `  ${titleOf(each)}: ${shown(each.baseline)} before, ${shown(each.window)} now`),
    ...remarks(evaluated).map((line) => paint(style, "yellow", line)),
  ];
  return `${lines.join("\n")}\n`;
}

function summaryOf({ state, measures }: WatchReport): string {
  if (state === "steady") return "nothing got worse by more than noise";
  if (measures.length === 0) return "too few calls to say: no call was judged";
  if (state === "too-few") return "too few calls to say";
  const worse = measures.filter((each) => each.state === "worse").length;
  return `${worse} of ${plural(measures.length, "measure")} got worse`;
}

function worseLines(measure: Measure, style: Style, scenarioFlags: string): readonly string[] {
  const { drop, correctedP } = measure;
  if (!drop) return [];
  const { since, before, after, calls } = drop;
  const when = since === null ? "in the window; no moment stands out" : `since ${minuteOf(since)}`;
  const flags = scenarioFlags === "" ? "" : ` ${scenarioFlags}`;
  return [
    paint(style, "red", `✗ ${titleOf(measure)}`),
    `  fell from ${shown(before)} to ${shown(after)}`,
    `  ${when} (p = ${pWords(correctedP ?? 1)}, corrected for the number of measures)`,
    ...(calls.length > 0 ? ["  calls that show it:"] : []),
    ...calls.map(({ id }) => `    npx callweave calls to-scenario ${id}${flags}`),
  ];
}

function remarks({ errors, unknown, unmatched, lacking }: WatchReport["evaluated"]): readonly string[] {
  const told = [
    ...(errors > 0 ? [`${plural(errors, "call")} could not be judged in this round: neither good nor bad`] : []),
    ...(unknown > errors ? [`${plural(unknown, "call")} could not be judged so far: neither good nor bad`] : []),
    ...(unmatched > 0 ? [`${plural(unmatched, "call")} match no scenario, and were not judged`] : []),
    ...(lacking > 0 ? [`${plural(lacking, "call")} lack the data that the expectations need, such as nodes`] : []),
  ];
  return told.length > 0 ? ["", ...told] : [];
}

function titleOf({ kind, name }: Measure): string {
  return kind === "ends" ? `call ends ${oneLine(name)}` : `${kind} "${oneLine(name)}"`;
}

/** "95 % (93–97 %, 381 of 402)". */
function shown({ rate, interval, passes, trials }: MeasureRate): string {
  if (rate === null || interval === null) return "no calls";
  const [low, high] = [interval.low, interval.high].map((each) => Math.round(each * 100));
  return `${Math.round(rate * 100)} % (${low}–${high} %, ${passes} of ${trials})`;
}

function pWords(p: number): string {
  return p < 0.0001 ? "less than 0.0001" : String(Number(p.toPrecision(2)));
}

/** "2024-05-20 12:00 UTC". */
function minuteOf(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;
}

const DAY_MS = 86_400_000;

function daysOf({ from, to }: WatchReport["baseline"]): string {
  const ms = Date.parse(to) - Date.parse(from);
  return ms >= DAY_MS ? plural(Math.round(ms / DAY_MS), "day") : formatSeconds(ms);
}
