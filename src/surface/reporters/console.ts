import {
  cut,
  formatDollars,
  formatSeconds,
  oneLine,
  PLAIN,
  pad,
  paint,
  plural,
  type Style,
  terminalWidth,
  wrap,
} from "../../base/values/mod.ts";
import type { Usage } from "../../document/transcript/mod.ts";
import type { RunReport } from "../../run/runner/mod.ts";
import { type ResultRecord, type ResultStatus, redactedResult } from "../../run/store/mod.ts";
import { hearingLines } from "./audio.ts";
import { callerLines } from "./callers.ts";
import { latencyLines } from "./latency.ts";
import { problemsOf, type ResultProblem, warningsOf } from "./problems.ts";
import { formatPassHat, hasRepeats, scenarioLines, verdictParts } from "./scenarios.ts";
import { checkShapes } from "./shapes.ts";
import { noticesOf, storageProblems } from "./storage.ts";

const MARKS: {
  readonly [Status in ResultStatus]: readonly [mark: string, color: "green" | "red" | "yellow" | "cyan"];
} = {
  pass: ["✓", "green"],
  fail: ["✗", "red"],
  error: ["!", "red"],
  imported: ["·", "cyan"],
  cancelled: ["-", "yellow"],
  invalid: ["?", "yellow"],
};

/** Labels of the counts in a summary. */
const WORDS: { readonly [Status in ResultStatus]: (count: number) => string } = {
  pass: (count) => `${count} passed`,
  fail: (count) => `${count} failed`,
  error: (count) => plural(count, "error"),
  imported: (count) => `${count} imported`,
  cancelled: (count) => `${count} cancelled`,
  invalid: (count) => `${count} invalid`,
};

const WIDEST_NAME = 48;
/** Length of the longest end reason, `agent_transferred`. */
const END_COLUMNS = 17;
/** Minimum width for a path of nodes; with less, it gets its own line. */
const SHORTEST_PATH = 16;

/**
 * Formats a run for a terminal: one line per call, the problems of calls that did not pass, and the totals.
 *
 * @param style Default: without colours, 100 columns.
 * @param options `calls: false` omits the lines of the calls, for example because they were printed during the run.
 * @throws {CallweaveError} `invalid-option`.
 */
export function formatReport(
  report: RunReport,
  style: Style = PLAIN,
  { calls = true }: { readonly calls?: boolean } = {},
): string {
  checkShapes({ report, style }, "Cannot format report");
  const redacted = redactedResult(report);
  const { results, stopped } = redacted;
  const several = hasRepeats(redacted.scenarios);
  const nameOf = ({ scenario, trial }: ResultRecord) => callLabel(scenario, trial, several);
  const columns = columnsOf(results.map(nameOf), style);
  const lines = [
    ...wrap(style, `${redacted.name}: ${headingOf(redacted)}`, 0).map((line) => paint(style, "bold", line)),
    ...modelLines(redacted, style),
    ...(several ? ["", ...scenarioLines(redacted.scenarios, style)] : []),
    ...(calls && !several
      ? ["", ...results.flatMap((result) => summaryLines(result, nameOf(result), columns, style))]
      : []),
    ...(redacted.callers ? ["", ...callerLines(redacted.callers, style)] : []),
  ];
  const { isOmitted, omittedLines } = createCutOff(several);
  for (const result of results) {
    if (stopped !== undefined && result.status === "cancelled") continue; // reported once, below
    const problems = problemsOf(result);
    const warnings = warningsOf(result);
    if (problems.length + warnings.length === 0) continue;
    if (isOmitted(result, problems.length > 0)) continue;
    const title = wrap(style, nameOf(result), 2).map((line) => paint(style, "bold", line.slice(2)));
    const margins = [`${markOf(result.status, style)} `, ...title.map(() => "  ")];
    lines.push("", ...title.map((line, index) => `${margins[index]}${line}`));
    for (const problem of problems) lines.push(...problemLines(problem, style, "red"));
    for (const { title, details } of warnings) {
      lines.push(...problemLines({ title: `warning: ${title}`, details }, style, "yellow"));
    }
  }
  lines.push(...omittedLines(redacted.id, style));
  // the offline model answers at once, which says nothing about the agent
  if (redacted.latency && redacted.models.agent !== "offline") lines.push("", ...latencyLines(redacted.latency, style));
  const heard = hearingLines(results, style);
  if (heard.length > 0) lines.push("", ...heard);
  return `${[...lines, "", ...totals(redacted, style)].join("\n")}\n`;
}

function headingOf({ scenarios, results }: RunReport): string {
  const count = plural(scenarios.length, "scenario");
  return hasRepeats(scenarios) ? `${count}, ${plural(results.length, "call")}` : count;
}

/**
 * Returns a function that formats the line of a finished call, aligned to the names of all calls.
 *
 * @param several Whether scenarios have several calls; their numbers are shown then.
 */
export function createCallLines(
  names: readonly string[],
  style: Style,
  several: boolean,
): (result: ResultRecord) => string {
  const columns = columnsOf(
    names.map((name) => callLabel(name, 1, several)),
    style,
  );
  return (result) => summaryLines(result, callLabel(result.scenario, result.trial, several), columns, style).join("\n");
}

function callLabel(scenario: string, trial: number, several: boolean): string {
  return oneLine(scenario) + (several ? ` #${trial}` : "");
}

/** Formats a finished call as one line of a log, without its nodes. */
export function formatCallLine(result: ResultRecord, style: Style, several: boolean): string {
  const { scenario, trial, status, turnCount: turns, durationMs: ms } = result;
  return `${markOf(status, style)} ${callLabel(scenario, trial, several)}: ${plural(turns, "turn")}, ${formatSeconds(ms)}, ${endOf(result)}`;
}

/** Returns the column width for call names. */
function columnsOf(names: readonly string[], style: Style): number {
  return Math.min(Math.max(0, ...names.map(terminalWidth)), WIDEST_NAME, Math.max(16, style.width - 40));
}

/** Returns the sign of a status, coloured if the style has colours. */
export function markOf(status: ResultStatus, style: Style): string {
  const [mark, color] = MARKS[status];
  return paint(style, color, mark);
}

/** Returns the end reason of a call, else the platform's, or a phrase when it is unknown. */
export function endOf({ endReason, transcript, provenance }: ResultRecord): string {
  return endReason ?? provenance?.platformEndReason ?? (transcript.length > 0 ? "end not known" : "not started");
}

/** Formats a problem as lines below the name of its call. */
export function problemLines(
  { title, details }: ResultProblem,
  style: Style,
  color: "red" | "yellow" | "green",
): string[] {
  const colored = wrap(style, title, 2).map((line) => `  ${paint(style, color, line.slice(2))}`);
  const labels = Math.max(0, ...details.map(({ label }) => label.length));
  return [
    ...colored,
    ...details.flatMap(({ label, text }) =>
      wrap(style, text, labels + 6, `    ${paint(style, "dim", label.padEnd(labels))}  `),
    ),
  ];
}

function summaryLines(result: ResultRecord, name: string, columns: number, style: Style): readonly string[] {
  const turns = plural(result.turnCount, "turn").padStart(8);
  const seconds = formatSeconds(result.durationMs).padStart(7);
  const end = endOf(result);
  const ids = result.nodesVisited;
  const head = `  ${markOf(result.status, style)} ${pad(name, columns)}  ${turns} ${seconds}`;
  const room = style.width - (4 + columns + 2 + 8 + 1 + 7 + 2 + END_COLUMNS + 2);
  if (room >= SHORTEST_PATH) {
    return [`${head}  ${pad(end, END_COLUMNS)}  ${paint(style, "dim", shortPath(ids, room))}`.trimEnd()];
  }
  const path = ids.length > 0 ? [paint(style, "dim", `      ${shortPath(ids, style.width - 6)}`)] : [];
  if (room >= -2) return [`${head}  ${end}`, ...path];
  return [head, paint(style, "dim", `      ${end}`), ...path];
}

/** Shortens a path to fit. Nodes in the middle are omitted, because the first and last ones are the most useful. */
function shortPath(ids: readonly string[], room: number): string {
  const names = ids.map(oneLine);
  let path = names.join(" -> ");
  for (let left = names.length - 1; left > 1 && terminalWidth(path) > room; left--) {
    const first = Math.floor(left / 2);
    path = [...names.slice(0, first), "…", ...names.slice(names.length - (left - first))].join(" -> ");
  }
  return cut(path, room);
}

function modelLines({ models }: RunReport, style: Style): readonly string[] {
  const offline = (["agent", "caller", "judge"] as const).filter((role) => models[role] === "offline");
  const who = offline.length === 3 ? "agent, caller and judge" : offline.join(" and ");
  const notice = `Offline model: ${who} ${offline.length === 1 ? "is" : "are"} played by fixed rules, without any language model. This shows that the flow runs, not how well it talks.`;
  const names = `agent ${models.agent}, caller ${models.caller}, judge ${models.judge}`;
  return [
    ...(offline.length < 3 ? wrap(style, names, 0).map((line) => paint(style, "dim", line)) : []),
    ...(offline.length > 0 ? wrap(style, notice, 0).map((line) => paint(style, "yellow", line)) : []),
  ];
}

function totals(report: RunReport, style: Style): readonly string[] {
  const { counts, usage, results, stopped } = report;
  const verdicts = verdictParts(report.scenarios).map((part) => paint(style, part.color, part.text));
  const parts = (["pass", "fail", "error", "cancelled", "invalid", "imported"] as const)
    .filter((status) => counts[status] > 0)
    .map((status) => ({ text: WORDS[status](counts[status]), color: MARKS[status][1] }));
  const warned = results.filter((result) => warningsOf(result).length > 0).length;
  if (warned > 0) parts.push({ text: `${plural(warned, "call")} with warnings`, color: "yellow" });
  const passHat = formatPassHat(report.scenarios);
  const seconds = `in ${formatSeconds(report.durationMs)}`;
  const label = hasRepeats(report.scenarios) ? "Calls: " : "";
  const plain = `${label}${parts.map(({ text }) => text).join(", ") || "nothing was run"} ${seconds}`;
  const painted = parts.map(({ text, color }) => paint(style, color, text));
  const stored = report.store === null ? "not stored" : `run ${report.id} in ${report.store}`;
  const lost = storageProblems(report).flatMap((line) => wrap(style, line, 0));
  const warnings = noticesOf(report).flatMap((line) => wrap(style, line, 0));
  return [
    ...(hasRepeats(report.scenarios) ? [`Scenarios: ${verdicts.join(", ")}`] : []),
    ...(parts.length === 0
      ? [plain]
      : terminalWidth(plain) <= style.width
        ? [`${label}${painted.join(", ")} ${seconds}`]
        : [...painted, seconds]),
    ...(passHat === undefined ? [] : wrap(style, passHat, 0)),
    ...wrap(style, `${formatUsage(usage)}; ${stored}`, 0).map((line) => paint(style, "dim", line)),
    ...roleLines(usage).flatMap((line) => wrap(style, line, 2).map((each) => paint(style, "dim", each))),
    ...(stopped === undefined ? [] : wrap(style, `Stopped: ${stopped}`, 0).map((line) => paint(style, "red", line))),
    ...warnings.map((line) => paint(style, "yellow", line)),
    ...lost.map((line) => paint(style, "red", line)),
  ];
}

/** Maximum number of calls of a repeated scenario whose problems are shown. */
const MOST_PROBLEMS = 3;
/** Maximum number of passed calls of a repeated scenario whose warnings are shown. */
const MOST_WARNINGS = 1;

/** Decides which calls a report describes, and counts those it omits. */
export interface CutOff {
  /** Whether a call with problems, or only with warnings, is omitted because enough of its scenario were shown. */
  isOmitted(result: Pick<ResultRecord, "scenario">, hasProblems: boolean): boolean;
  omittedLines(runId: string, style: Style): readonly string[];
}

/** Starts counting the calls that a report describes. Without repeats none is omitted. */
function createCutOff(hasRepeats: boolean): CutOff {
  const shown = new Map<string, { problems: number; warnings: number }>();
  return {
    isOmitted: ({ scenario }, hasProblems) => {
      const counts = shown.get(scenario) ?? { problems: 0, warnings: 0 };
      shown.set(scenario, counts);
      if (hasProblems) counts.problems += 1;
      else counts.warnings += 1;
      return hasRepeats && (hasProblems ? counts.problems > MOST_PROBLEMS : counts.warnings > MOST_WARNINGS);
    },
    omittedLines: (runId, style) => {
      const texts = [...shown].flatMap(([scenario, { problems, warnings }]) => [
        ...(problems > MOST_PROBLEMS ? [`${of(problems - MOST_PROBLEMS, scenario)} with problems`] : []),
        ...(warnings > MOST_WARNINGS ? [`${of(warnings - MOST_WARNINGS, scenario)} with warnings`] : []),
      ]);
      if (!hasRepeats || texts.length === 0) return [];
      const see = `See callweave runs show ${runId}`;
      return ["", ...[...texts, see].flatMap((text) => wrap(style, text, 2).map((line) => paint(style, "dim", line)))];
    },
  };
}

function of(count: number, scenario: string): string {
  return `${plural(count, "more call")} of "${oneLine(scenario)}"`;
}

type Total = Omit<Usage, "byRole">;

/** Formats usage as one line: `12 model calls, 3,400 tokens, $0.0021`. The cost is left out when it is unknown. */
export function formatUsage({ calls, inputTokens, outputTokens, costUsd, retries = 0 }: Total): string {
  const again = retries === 0 ? "" : ` (${retries === 1 ? "1 retry" : `${retries.toLocaleString("en-US")} retries`})`;
  const parts = [`${plural(calls, "model call")}${again}`, plural(inputTokens + outputTokens, "token")];
  if (costUsd !== undefined && costUsd > 0) parts.push(formatDollars(costUsd));
  return parts.join(", ");
}

/** Formats usage per role, one line each. Returns no lines when only one role called a model. */
export function roleLines({ byRole }: Usage): readonly string[] {
  const used = byRole ? (["agent", "caller", "judge"] as const).filter((role) => byRole[role].calls > 0) : [];
  if (!byRole || used.length < 2) return [];
  return used.map((role) => `${role}: ${formatUsage(byRole[role])}`);
}
