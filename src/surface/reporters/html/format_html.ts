import { type Coverage, coverage } from "../../../agent/analysis/mod.ts";
import { drawAddressed } from "../../../agent/draw/mod.ts";
import { CallweaveError } from "../../../base/errors.ts";
import { checkOptions, isRecord, rule } from "../../../base/values/mod.ts";
import { type AgentGraph, toGraph, withNodeNames } from "../../../document/graph/mod.ts";
import type { RunComparison } from "../../../run/compare/mod.ts";
import type { RunReport } from "../../../run/runner/mod.ts";
import { redactedResult } from "../../../run/store/mod.ts";
import type { PageData, PageNotice, PageVerdict } from "../../web/mod.ts";
import { checkShapes } from "../shapes.ts";
import { noticesOf, storageProblems } from "../storage.ts";
import { dataBlock } from "./embed.ts";
import { numberNodes } from "./node_indexes.ts";
import { hearingOf } from "./page_audio.ts";
import { callOf } from "./page_call.ts";
import { comparisonOf } from "./page_comparison.ts";
import { coverageOf } from "./page_coverage.ts";
import { latencyOf } from "./page_latency.ts";
import { isImported, scenariosOf } from "./page_scenarios.ts";
import { shell } from "./shell.ts";

/** Options of {@link formatHtml}. */
export interface HtmlOptions {
  /** The agent that was called. With it, the page has its picture and the coverage. */
  readonly graph?: AgentGraph;
  /** The coverage of the graph. Default: that of this run. */
  readonly coverage?: Coverage;
  /** The comparison with an earlier run. Default: not shown. */
  readonly comparison?: RunComparison;
}

const RULES = {
  graph: rule("a graph", () => true), // toGraph() checks it
  coverage: rule("what coverage() has returned", (value) => isRecord(value) && Array.isArray(value.items)),
  comparison: rule(
    "what compareRuns() has returned",
    (value) => isRecord(value) && isRecord(value.base) && Array.isArray(value.scenarios),
  ),
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
      notices: pageNotices(named),
    },
    scenarios: scenariosOf(named, nodes),
    ...(source && covered ? { coverage: withNodeNames(redactedResult(coverageOf(source, covered)), source) } : {}),
    // the offline model answers at once, which says nothing about the agent
    ...(results.some(({ audio }) => audio) ? { heard: hearingOf(results) } : {}),
    ...(latency && models.agent !== "offline" ? { latency: latencyOf(latency) } : {}),
    ...(options.comparison ? { comparison: redactedResult(comparisonOf(options.comparison)) } : {}),
  };
  const calls = results.map((result, block) => dataBlock(`call-${block}`, callOf(result, nodes)));
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
