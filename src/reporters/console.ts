import type { RunReport } from "../runner/mod.ts";
import type { ResultRecord, ResultStatus } from "../store/mod.ts";
import { type Problem, problemsOf, warningsOf } from "./problems.ts";
import { oneLine, PLAIN, pad, paint, type Style, widthOf, wrap } from "./style.ts";

const MARKS: {
  readonly [Status in ResultStatus]: readonly [mark: string, color: "green" | "red" | "yellow" | "cyan"];
} = {
  pass: ["✓", "green"],
  fail: ["✗", "red"],
  error: ["!", "red"],
  imported: ["·", "cyan"],
  cancelled: ["-", "yellow"],
};

/** What the numbers of a summary are called. */
const WORDS: { readonly [Status in ResultStatus]: (count: number) => string } = {
  pass: (count) => `${count} passed`,
  fail: (count) => `${count} failed`,
  error: (count) => plural(count, "error"),
  imported: (count) => `${count} imported`,
  cancelled: (count) => `${count} cancelled`,
};

const WIDEST_NAME = 48;

/**
 * A run's summary for people: one line a call, then what is wrong with those that did not pass, then the totals.
 *
 * @param style Default: without colours, 100 columns.
 */
export function formatReport(report: RunReport, style: Style = PLAIN): string {
  const { results } = report;
  const several = results.some(({ trial }) => trial > 1);
  const nameOf = (result: ResultRecord) => oneLine(result.scenario) + (several ? ` #${result.trial}` : "");
  const longest = Math.max(0, ...results.map((result) => widthOf(nameOf(result))));
  const columns = Math.min(longest, WIDEST_NAME, Math.max(16, style.width - 40));
  const lines = [
    `${paint(style, "bold", oneLine(report.name))}: ${plural(results.length, "scenario")}`,
    ...offlineNotice(report, style),
    "",
    ...results.flatMap((result) => summaryLines(result, nameOf(result), columns, style)),
  ];
  for (const result of results) {
    const problems = problemsOf(result);
    const warnings = warningsOf(result);
    if (problems.length + warnings.length === 0) continue;
    lines.push("", `${markOf(result.status, style)} ${paint(style, "bold", nameOf(result))}`);
    for (const problem of problems) lines.push(...problemLines(problem, style, "red"));
    for (const { title, details } of warnings) {
      lines.push(...problemLines({ title: `warning: ${title}`, details }, style, "yellow"));
    }
  }
  return `${[...lines, "", ...totals(report, style)].join("\n")}\n`;
}

/** The sign of a status, coloured where the style has colours. */
export function markOf(status: ResultStatus, style: Style): string {
  const [mark, color] = MARKS[status];
  return paint(style, color, mark);
}

/** Milliseconds as a person reads them. */
export function formatSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** `1 turn`, `2 turns`. */
export function plural(count: number, word: string): string {
  return `${count.toLocaleString("en-US")} ${word}${count === 1 ? "" : "s"}`;
}

/** A problem's lines, under the name of the call that has it. */
export function problemLines({ title, details }: Problem, style: Style, color: "red" | "yellow" | "green"): string[] {
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
  const turns = plural(result.turn_count, "turn").padStart(8);
  const seconds = formatSeconds(result.duration_ms).padStart(7);
  const end = result.end_reason ?? "not held";
  const head = `  ${markOf(result.status, style)} ${pad(name, columns)}  ${turns} ${seconds}  `;
  const path = oneLine(result.nodes_visited.join(" -> "));
  const room = style.width - (4 + columns + 2 + 8 + 1 + 7 + 2);
  if (room < 17 + 2 + 16)
    return [head + end, ...(path ? [paint(style, "dim", `      ${pad(path, style.width - 6).trimEnd()}`)] : [])];
  return [`${head}${end.padEnd(17)}  ${paint(style, "dim", pad(path, room - 19).trimEnd())}`.trimEnd()];
}

function offlineNotice({ offline, models }: RunReport, style: Style): readonly string[] {
  if (!offline)
    return [`agent ${models.agent}, caller ${models.caller}, judge ${models.judge}`].map((line) =>
      paint(style, "dim", oneLine(line)),
    );
  const roles = (["agent", "caller", "judge"] as const).filter((role) => models[role] === "offline");
  const who = roles.length === 3 ? "agent, caller and judge" : roles.join(" and ");
  const text = `Offline model: ${who} ${roles.length === 1 ? "is" : "are"} played by fixed rules, without any language model. This shows that the flow runs, not how well it talks.`;
  return wrap(style, text, 0).map((line) => paint(style, "yellow", line));
}

function totals(report: RunReport, style: Style): readonly string[] {
  const { counts, usage } = report;
  const parts = (["pass", "fail", "error", "cancelled", "imported"] as const)
    .filter((status) => counts[status] > 0)
    .map((status) => paint(style, MARKS[status][1], WORDS[status](counts[status])));
  const calls = `${plural(usage.calls, "model call")}, ${plural(usage.input_tokens + usage.output_tokens, "token")}`;
  const stored = report.store === null ? "not stored" : `run ${report.id} in ${oneLine(report.store)}`;
  const lost = report.storeError === null ? [] : wrap(style, `Not everything was stored: ${report.storeError}`, 0);
  const warned = report.results.filter((result) => warningsOf(result).length > 0).length;
  if (warned > 0) parts.push(paint(style, "yellow", `${plural(warned, "call")} with warnings`));
  return [
    `${parts.join(", ") || "nothing was run"} in ${formatSeconds(report.durationMs)}`,
    paint(style, "dim", `${calls}; ${stored}`),
    ...lost.map((line) => paint(style, "red", line)),
  ];
}
