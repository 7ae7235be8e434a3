import {
  escapeContent,
  formatSeconds,
  oneLine,
  plural,
  shorten,
  withoutCommands,
  xmlCharacters,
} from "../../base/values/mod.ts";
import type { RunReport } from "../../run/runner/mod.ts";
import { redactedResult } from "../../run/store/mod.ts";
import {
  type CaseOutcome,
  callNumber,
  casesOf,
  MOST_IN_MESSAGE,
  messageOf,
  problemLinesOf,
  type ScenarioCase,
} from "./cases.ts";
import { formatUsage } from "./console.ts";
import { problemsOf, type ResultProblem } from "./problems.ts";
import type { SourcePlace } from "./reporter.ts";
import { formatTranscript } from "./result.ts";
import { checkShapes } from "./shapes.ts";
import { noticesOf, storageProblems } from "./storage.ts";

/** GitHub keeps ten errors of a step; the last one says how many more there are. */
const MOST_ERRORS = 10;
/** GitHub keeps 64 KB of an annotation; a person reads less. */
const LONGEST_MESSAGE = 4_000;

/**
 * Formats the scenarios that did not pass as workflow commands of GitHub Actions, one line each. Print them in a step:
 * GitHub shows them as errors at the scenarios' places in the pull request.
 *
 * @param placeOf Returns where a scenario is defined, as a path from the root of the repository.
 * @throws {CallweaveError} `invalid-option`.
 * @see https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
export function formatGithubAnnotations(
  report: RunReport,
  placeOf: (scenario: string) => SourcePlace | undefined = () => undefined,
): string {
  checkShapes({ report }, "Cannot format annotations");
  const cases = casesOf(redactedResult(report)).filter(({ outcome }) => outcome === "fail" || outcome === "error");
  const shown = cases.length > MOST_ERRORS ? cases.slice(0, MOST_ERRORS - 1) : cases;
  const left = cases.length - shown.length;
  const lines = shown.map((each) => annotation(each, placeOf(each.summary.scenario)));
  if (left > 0)
    lines.push(`::error title=Callweave::${left} more scenarios did not pass. The step's summary has them.`);
  return lines.map((line) => `${line}\n`).join("");
}

function annotation(each: ScenarioCase, place: SourcePlace | undefined): string {
  const { summary, outcome } = each;
  const title = `${oneLine(summary.scenario)} ${outcome === "fail" ? "failed" : "has no verdict"}`;
  const properties = [
    ...(place ? [`file=${withoutCommands(escapeProperty(place.file))}`] : []),
    ...(place?.line === undefined ? [] : [`line=${place.line}`]),
    `title=${withoutCommands(escapeProperty(title))}`,
  ];
  const text = [...problemLinesOf(each)].join("\n") || messageOf(each);
  return `::error ${properties.join(",")}::${withoutCommands(escapeMessage(shorten(text, LONGEST_MESSAGE)))}`;
}

/** GitHub rejects a summary of more than 1 MiB, with all that other commands of the step wrote. */
const MOST_BYTES = 900_000;

const SIGNS: { readonly [Outcome in CaseOutcome]: string } = {
  pass: "✅",
  fail: "❌",
  error: "⚠️",
  skipped: "⏭️",
  imported: "☑️",
};

/**
 * Formats a run as Markdown for the summary of a step in GitHub Actions: a table of scenarios with pass rates and
 * intervals, then the expectations that did not hold, with transcripts to unfold. Texts of the call are escaped, so that
 * they cannot add Markdown or HTML. It stays below GitHub's limit of 1 MiB; scenarios that do not fit are counted.
 *
 * @throws {CallweaveError} `invalid-option`.
 * @see https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#adding-a-job-summary
 */
export function formatGithubSummary(report: RunReport): string {
  checkShapes({ report }, "Cannot format summary");
  const redacted = redactedResult(report);
  const cases = casesOf(redacted);
  const head = `${[...headLines(redacted, cases), "", ...tableLines(cases), "", ...footLines(redacted)].join("\n")}\n`;
  const parts = [head];
  let bytes = byteLength(head);
  const open = cases.filter(({ outcome }) => outcome !== "pass" && outcome !== "imported");
  for (const [index, each] of open.entries()) {
    const part = `\n${[...caseLines(each)].join("\n")}\n`;
    bytes += byteLength(part);
    if (bytes > MOST_BYTES) {
      parts.push(`\n${plural(open.length - index, "more scenario")} without room here.\n`);
      break;
    }
    parts.push(part);
  }
  return parts.join("");
}

function headLines(report: RunReport, cases: readonly ScenarioCase[]): readonly string[] {
  const passed = cases.filter(({ outcome }) => outcome === "pass").length;
  const flaky = cases.filter(({ isFlaky }) => isFlaky).length;
  const sign = report.passed ? SIGNS.pass : cases.some(({ outcome }) => outcome === "fail") ? SIGNS.fail : SIGNS.error;
  return [
    `## ${sign} ${escapeMarkdown(report.name || "agent")}: ${passed} of ${plural(cases.length, "scenario")} passed`,
    ...(flaky > 0 ? ["", `${flaky} of them although single calls failed.`] : []),
    ...(report.offline
      ? ["", "The offline model took part: this shows that the flow runs, not how well it talks."]
      : []),
    ...(report.stopped === undefined ? [] : ["", `Stopped: ${escapeMarkdown(report.stopped)}`]),
  ];
}

/** Rows that the table has room for, so that the failures below it fit too. */
const MOST_ROWS = 1_000;

function tableLines(cases: readonly ScenarioCase[]): readonly string[] {
  if (cases.length === 0) return ["No calls were run."];
  const isRepeated = cases.some(({ summary }) => summary.planned > 1);
  const head = isRepeated
    ? ["| | Scenario | Calls passed | Pass rate | 95 % interval |", "| --- | --- | --: | --: | --: |"]
    : ["| | Scenario | Turns | Time |", "| --- | --- | --: | --: |"];
  const rows = cases.slice(0, MOST_ROWS).map((each) => {
    const cells = isRepeated ? rateCells(each) : callCells(each);
    return `| ${[SIGNS[each.outcome], escapeMarkdown(each.summary.scenario.slice(0, 300)), ...cells].join(" | ")} |`;
  });
  const left = cases.length - rows.length;
  return [...head, ...rows, ...(left > 0 ? ["", `${plural(left, "more scenario")} without a row.`] : [])];
}

function rateCells({ summary: { counts, trials, passRate, interval } }: ScenarioCase): readonly string[] {
  const rate = passRate === null ? "" : percent(passRate);
  const bounds = interval === null ? "" : `${percent(interval.low)} to ${percent(interval.high)}`;
  return [`${counts.pass} of ${trials}`, rate, bounds];
}

function callCells({ results, durationMs }: ScenarioCase): readonly string[] {
  return [String(results.reduce((sum, { turnCount }) => sum + turnCount, 0)), formatSeconds(durationMs)];
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}

function footLines(report: RunReport): readonly string[] {
  const { models, store, id } = report;
  const warnings = [...noticesOf(report), ...storageProblems(report)].map((line) => `⚠️ ${escapeMarkdown(line)}`);
  const stored = store === null ? "not stored" : `run ${escapeMarkdown(id)}`;
  const names = escapeMarkdown(`agent ${models.agent}, caller ${models.caller}, judge ${models.judge}`);
  const parts = [formatUsage(report.usage), formatSeconds(report.durationMs), names, stored];
  return [parts.join("; "), ...warnings.flatMap((line) => ["", line])];
}

function caseLines(each: ScenarioCase): readonly string[] {
  const { summary, outcome, failed } = each;
  const shown = failed.slice(0, MOST_IN_MESSAGE);
  return [
    `### ${SIGNS[outcome]} ${escapeMarkdown(summary.scenario)}`,
    "",
    ...(summary.planned > 1 ? [escapeMarkdown(summary.reason), ""] : []),
    ...shown.flatMap((result) => {
      const name = callNumber(result, each);
      const transcript = formatTranscript(result.transcript, { color: false, width: 120 });
      return [
        ...(name ? [`${name[0]?.toUpperCase()}${name.slice(1)}:`, ""] : []),
        ...problemsOf(result).flatMap(problemLines),
        "",
        `<details><summary>Transcript${name && ` of ${name}`}</summary>`,
        "",
        `<pre>${escapeHtml(transcript)}</pre>`,
        "",
        "</details>",
        "",
      ];
    }),
    ...(failed.length > shown.length ? [`${plural(failed.length - shown.length, "more call")} did not pass.`] : []),
  ];
}

function problemLines({ title, details }: ResultProblem): readonly string[] {
  return [
    `- **${escapeMarkdown(title)}**`,
    ...details.map(({ label, text }) => `  - ${label}: ${escapeMarkdown(text)}`),
  ];
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/**
 * Escapes untrusted text for one line of Markdown. Punctuation becomes character references, which GitHub shows but
 * never reads as Markdown, HTML, a link or a table cell.
 *
 * @see https://spec.commonmark.org/0.31.2/#entity-and-numeric-character-references
 */
function escapeMarkdown(text: string): string {
  return oneLine(text).replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Escapes untrusted text for HTML, line breaks kept. */
function escapeHtml(text: string): string {
  return escapeContent(xmlCharacters(text));
}

/** Escapes the message of a workflow command. */
function escapeMessage(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** Escapes a property of a workflow command, such as its title. */
function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
