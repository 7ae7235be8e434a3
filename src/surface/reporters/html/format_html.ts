import { createHash } from "node:crypto";
import { COVERAGE_KINDS, type Coverage, type CoverageKind, coverage, uncovered } from "../../../agent/analysis/mod.ts";
import { drawAddressed } from "../../../agent/draw/mod.ts";
import { CallweaveError } from "../../../base/errors.ts";
import type { Gate } from "../../../base/statistics/mod.ts";
import { checkOptions, escapeMarkup, groupBy, isRecord, rule } from "../../../base/values/mod.ts";
import { type AgentGraph, toGraph, withNodeNames } from "../../../document/graph/mod.ts";
import type { RateComparison, RunComparison } from "../../../run/compare/mod.ts";
import type { RunReport } from "../../../run/runner/mod.ts";
import { redactedResult } from "../../../run/store/mod.ts";
import type { CallerRate, CallerTable } from "../../../run/summary/mod.ts";
import {
  type NodeIndexes,
  type PageCallerRate,
  type PageCallers,
  type PageChange,
  type PageComparison,
  type PageCoverage,
  type PageData,
  type PageNotice,
  type PageScenario,
  type PageVerdict,
  REPORT_SCRIPT,
  REPORT_STYLE,
} from "../../web/mod.ts";
import { callerSentence, textOf } from "../callers.ts";
import { checkShapes } from "../shapes.ts";
import { noticesOf, storageProblems } from "../storage.ts";
import { callOf, hearingOf, latencyOf, numberNodes, trialOf } from "./page_call.ts";
import { wholeCalls, wholeCallsWords } from "./whole_calls.ts";

/**
 * Serializes a value as JSON for a `<script>` element: without `<`, so that nothing in it ends the element or
 * starts a comment, and without the line separators U+2028 and U+2029.
 */
function embeddedJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A `<script>` element with JSON that the page's code parses. */
function dataBlock(id: string, value: unknown): string {
  return `<script type="application/json" id="${id}">${embeddedJson(value)}</script>`;
}

/** Options of {@link formatHtml}. */
export interface HtmlOptions {
  /** The agent that was called. With it, the page has its picture and the coverage. */
  readonly graph?: AgentGraph;
  /** The coverage of the graph. Default: that of this run. */
  readonly coverage?: Coverage;
  /** The comparison with an earlier run. Default: not shown. */
  readonly comparison?: RunComparison;
  /**
   * Most calls that the page has with their transcripts, at least 1: first those that did not pass. The page names what
   * it lacks of the others, and has their figures, scores and checks. Default: all calls.
   */
  readonly transcripts?: number;
}

const RULES = {
  graph: rule("a graph", () => true), // toGraph() checks it
  coverage: rule("what coverage() has returned", (value) => isRecord(value) && Array.isArray(value.items)),
  comparison: rule(
    "what compareRuns() has returned",
    (value) => isRecord(value) && isRecord(value.base) && Array.isArray(value.scenarios),
  ),
  transcripts: rule("a whole number from 1", (value) => Number.isInteger(value) && Number(value) >= 1),
};

/**
 * Formats a run as one HTML file: every scenario with its verdict and interval, every call with its transcript
 * beside the picture of the graph, the coverage, and the differences from a baseline. It opens from disk, needs no
 * network, and has its secrets redacted. Texts of calls cannot run as scripts in it.
 *
 * @throws {CallweaveError} `invalid-option`.
 * @throws {GraphError} `not-a-graph`, `different-graph` for a coverage of another graph.
 * @example
 * ```ts
 * import { flow, run, scenario } from "callweave";
 * import { formatHtml } from "callweave/reporters";
 *
 * const graph = flow("hello").conversation("greet", { prompt: "Greet the caller." }).compile();
 * const report = await run(graph, [scenario("greets", graph).says("Hi").visits("greet")], { store: false });
 * const html = formatHtml(report, { graph });
 * ```
 */
export function formatHtml(report: RunReport, options: HtmlOptions = {}): string {
  checkShapes({ report }, ACTION);
  checkOptions(options, RULES, CallweaveError, ACTION);
  const plain = redactedResult(report);
  const source = options.graph === undefined ? undefined : toGraph(options.graph, ACTION);
  const named = source ? withNodeNames(plain, source) : plain;
  const { id, name, startedAt, durationMs, store, models, counts, usage, results, latency } = named;
  const covered = source && (options.coverage ?? coverage(source, plain.results));
  const graph = source && redactedResult(source);
  const nodes = numberNodes(graph);
  const whole = wholeCalls(results, options.transcripts ?? results.length);
  const lacking = wholeCallsWords(results, whole);
  const data: Omit<PageData, "nodes"> = {
    run: {
      id,
      agent: name,
      verdict: verdictOf(named),
      startedAt,
      ms: durationMs,
      store,
      models: [
        ["agent", models.agent],
        ["caller", models.caller],
        ["judge", models.judge],
      ],
      counts,
      usage,
      notices: [...pageNotices(named), ...(lacking === undefined ? [] : [{ level: "warn", text: lacking } as const])],
    },
    scenarios: scenariosOf(named, nodes),
    ...(named.callers ? { callers: callersOf(named.callers, named.scenarios) } : {}),
    ...(source && covered ? { coverage: withNodeNames(redactedResult(coverageOf(source, covered)), source) } : {}),
    // the offline model answers at once, which says nothing about the agent
    ...(results.some(({ audio }) => audio) ? { heard: hearingOf(results) } : {}),
    ...(latency && models.agent !== "offline" ? { latency: latencyOf(latency) } : {}),
    ...(options.comparison ? { comparison: redactedResult(comparisonOf(options.comparison)) } : {}),
  };
  const calls = results.map((result, block) => dataBlock(`call-${block}`, callOf(result, nodes, whole.has(result))));
  return shell({
    title: `${name}: ${verdictOf(named)}`,
    picture: graph ? drawAddressed(graph) : "",
    data: [dataBlock("report", { ...data, nodes: nodes.nodes }), ...calls], // the calls may have added nodes
  });
}

const ACTION = "Cannot format report";

function verdictOf({ passed, scenarios }: RunReport): PageVerdict {
  if (scenarios.length > 0 && scenarios.every(isImported)) return "imported";
  if (passed) return "pass";
  return scenarios.some(({ verdict }) => verdict === "fail") ? "fail" : "undecided";
}

function callersOf(table: CallerTable, scenarios: RunReport["scenarios"]): PageCallers {
  const { callers, rows, totals } = table;
  const playedIn = (scenario: string, caller: string | undefined) =>
    scenarios.findIndex(({ cast }) => cast?.scenario === scenario && cast.caller === caller);
  return {
    sentence: callerSentence(table),
    callers,
    rows: rows.map(({ scenario, cells }) => ({
      scenario,
      cells: cells.map((rate, at) => rate && { ...pageRate(rate), played: playedIn(scenario, callers[at]) }),
    })),
    totals: totals.map(pageRate),
  };
}

function pageRate(rate: CallerRate): PageCallerRate {
  return { text: textOf(rate), passRate: rate.passRate, interval: rate.interval };
}

function pageNotices(report: RunReport): readonly PageNotice[] {
  const { offline, stopped } = report;
  return [
    ...(stopped === undefined ? [] : [{ level: "bad", text: `Stopped: ${stopped}` } as const]),
    ...storageProblems(report).map((text) => ({ level: "bad", text }) as const),
    ...noticesOf(report).map((text) => ({ level: "warn", text }) as const),
    ...(offline ? [{ level: "warn", text: OFFLINE } as const] : []),
  ];
}

const OFFLINE =
  "Offline model: fixed rules play a role here, without a language model. This shows that the flow runs, not how well it talks.";

/** The comparison section of the page: all scenarios, and the judged criteria that changed. */
function comparisonOf({ base, summary, scenarios }: RunComparison): PageComparison {
  return {
    base: `run ${base.id.slice(0, 8)}`,
    summary,
    rows: scenarios.flatMap(({ scenario, criteria, ...rate }) => [
      { scenario, ...changeOf(rate) },
      ...criteria
        .filter(({ change }) => change !== "none")
        .map(({ criterion, ...each }) => ({ scenario, criterion, ...changeOf(each) })),
    ]),
  };
}

function changeOf({ base, head, change, reason }: RateComparison): Omit<PageChange, "scenario" | "criterion"> {
  const rate = ({ passes, trials, interval }: RateComparison["base"]) => ({ passes, trials, interval });
  return { base: rate(base), head: rate(head), change, reason };
}

/** Plural names of the kinds of coverage. */
const WORDS: { readonly [Kind in CoverageKind]: string } = {
  node: "nodes",
  transition: "transitions",
  clause: "equation clauses",
  global: "global nodes",
  "go-back": "go-backs",
  choice: "choices",
};

/** The coverage section of the page: the counts, and uncovered items with the shortest call to them. */
function coverageOf(graph: AgentGraph, coverage: Coverage): PageCoverage {
  const { counts, calls } = coverage;
  const kinds = COVERAGE_KINDS.filter((kind) => counts[kind].total > 0);
  const missing = uncovered(graph, coverage).map((each) => ({
    kind: each.item.kind,
    text: each.item.name,
    ...(each.kind === "found" ? { way: each.words } : { reason: each.reason }),
  }));
  return {
    calls,
    totals: kinds.map((kind) => ({ what: WORDS[kind], ...counts[kind] })),
    missing,
  };
}

/** Maximum number of pass^k values: more of them are not informative. */
const MOST_PASS_HAT = 8;

/** The scenarios of a run with their trials, in the order of the report. */
function scenariosOf({ scenarios, results }: RunReport, nodes: NodeIndexes): readonly PageScenario[] {
  const numbered = results.map((result, block) => ({ result, block }));
  const trials = groupBy(numbered, ({ result }) => result.scenario);
  return scenarios.map(({ scenario: name, gate, passHat, verdict, reason, passRate, interval, ...rest }) => ({
    name,
    verdict: isImported({ counts: rest.counts }) ? "imported" : verdict,
    reason,
    ...gateOf(gate),
    passRate,
    interval,
    passHat: passHat.slice(0, MOST_PASS_HAT),
    planned: rest.planned,
    counts: rest.counts,
    ...(rest.variance ? { variance: rest.variance.reason } : {}),
    trials: (trials.get(name) ?? []).map(({ result, block }) => trialOf(result, block, nodes)),
  }));
}

/** Whether a scenario consists of imported calls that were not judged. */
function isImported({ counts }: Pick<PageScenario, "counts">): boolean {
  const { imported = 0, ...others } = counts;
  return imported > 0 && Object.values(others).every((count) => count === 0);
}

function gateOf(gate: Gate): Pick<PageScenario, "gate" | "needed"> {
  if ("passAny" in gate) return { gate: "one trial must pass" };
  if ("passAll" in gate) return { gate: "all trials must pass", needed: 1 };
  return { gate: `${+(gate.minPassRate * 100).toFixed(2)} % of the trials must pass`, needed: gate.minPassRate };
}

/** The parts of the page, as HTML. */
export interface ShellParts {
  readonly title: string;
  /** The picture of the graph as SVG. */
  readonly picture: string;
  readonly data: readonly string[];
}

/**
 * The HTML around a report. Its Content Security Policy allows only its one script and one style: no
 * network, no other script, no inline event handlers.
 */
function shell({ title, picture, data }: ShellParts): string {
  const policy = [
    "default-src 'none'",
    `script-src ${hashSource(REPORT_SCRIPT)}`,
    `style-src ${hashSource(REPORT_STYLE)}`,
    "img-src data:",
    // recordings on this machine
    "media-src file:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeMarkup(title)}</title>
<link rel="icon" href="data:,">
<style>${REPORT_STYLE}</style>
</head>
<body>
<div id="page"><noscript>This report shows its data with a script. Allow scripts for this file, or read the JSON in its source.</noscript></div>
<template id="picture">${picture}</template>
${data.join("\n")}
<script>${REPORT_SCRIPT}</script>
</body>
</html>
`;
}

/** The source expression of a Content Security Policy that allows exactly this inline script or style. */
function hashSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
