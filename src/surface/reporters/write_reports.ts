import { CallweaveError, type Issue, isCallweaveError, throwIssues } from "../../base/errors.ts";
import { fileProblem, writeFileTo } from "../../base/files/mod.ts";
import { didYouMean, isRecord, shown } from "../../base/values/mod.ts";
import { type AgentGraph, withNodeNames } from "../../document/graph/mod.ts";
import type { RunReport } from "../../run/runner/mod.ts";
import { type ResultRecord, redactedResult } from "../../run/store/mod.ts";
import { formatReport } from "./console.ts";
import { formatCtrf } from "./ctrf.ts";
import { formatGithubAnnotations, formatGithubSummary } from "./github.ts";
import { formatHtml } from "./html/mod.ts";
import { formatJunit } from "./junit.ts";
import { isReporter, NO_CONTEXT, type ReportContext, type Reporter } from "./reporter.ts";
import { guardReporter } from "./run_reporter.ts";
import { checkShapes } from "./shapes.ts";

/** A report to write: a built-in reporter by name, or one of your own. */
export interface ReportOutput {
  readonly reporter: ReporterName | Reporter;
  /** Output file. Default: none, for a reporter that writes files itself. */
  readonly file?: string;
}

/**
 * Writes reports of a run to files. If one fails, the others are still written, and the error lists all that failed.
 *
 * @param context What reporters know besides the report, such as the `graph`.
 * @throws {CallweaveError} `invalid-option` before anything is written; `reporter-failed`, `unwritable-file`.
 * @example
 * ```ts
 * import { mkdtempSync } from "node:fs";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { flow, run, scenario } from "callweave";
 * import { writeReports } from "callweave/reporters";
 *
 * const graph = flow("hello").conversation("greet", { prompt: "Greet the caller." }).compile();
 * const report = await run(graph, [scenario("greets", graph).says("Hi").visits("greet")], { store: false });
 * const folder = mkdtempSync(join(tmpdir(), "reports-"));
 * await writeReports(report, [
 *   { reporter: "junit", file: join(folder, "junit.xml") },
 *   { reporter: { onEnd: ({ passed }) => `${passed}\n` }, file: join(folder, "passed.txt") },
 * ], { graph });
 * ```
 */
export async function writeReports(
  report: RunReport,
  outputs: readonly ReportOutput[],
  context: Partial<ReportContext> = {},
): Promise<void> {
  checkShapes({ report }, ACTION);
  checkOutputs(outputs, context);
  const outcomes = await Promise.allSettled(
    outputs.map(async ({ reporter, file }, index) => {
      const name = typeof reporter === "string" ? reporter : (file ?? `outputs[${index}]`);
      const own = typeof reporter === "string" ? REPORTERS[reporter] : reporter;
      const text = await guardReporter(name, own).end(report, { ...NO_CONTEXT, ...context });
      if (file === undefined || text === undefined) return;
      await writeFileTo(file, text, context.signal ? { signal: context.signal } : {}).catch((cause: unknown) => {
        const { state, hint } = fileProblem(cause, "write");
        throw new CallweaveError(`Cannot write "${file}": ${state}`, { code: "unwritable-file", hint, cause });
      });
    }),
  );
  const issues = outcomes.flatMap((each): readonly Issue[] => {
    if (each.status === "fulfilled") return [];
    const error: unknown = each.reason;
    if (!isCallweaveError(error)) throw error;
    return [{ code: error.code, path: error.path, message: error.message, hint: error.hint }];
  });
  throwIssues(CallweaveError, ACTION, issues);
}

const ACTION = "Cannot write reports";

function checkOutputs(outputs: unknown, context: unknown): void {
  const issue = (path: Issue["path"], value: unknown, needed: string, hint: string): Issue => ({
    code: "invalid-option",
    path,
    message: `"${path.join(".")}" is ${shown(value)} where ${needed} is needed`,
    hint,
  });
  const example = 'Pass a list: [{ reporter: "junit", file: "report.xml" }]';
  if (!Array.isArray(outputs)) throwIssues(CallweaveError, ACTION, [issue(["outputs"], outputs, "a list", example)]);
  if (!isRecord(context))
    throwIssues(CallweaveError, ACTION, [issue(["context"], context, "an object", "Pass { graph }, or leave it out")]);
  const list: readonly unknown[] = Array.isArray(outputs) ? outputs : [];
  const issues = list.flatMap((output, index): readonly Issue[] => {
    if (!isRecord(output)) return [issue(["outputs", index], output, "an object", example)];
    const { reporter, file } = output;
    const names = Object.keys(REPORTERS);
    const isKnown = typeof reporter === "string" ? isReporterName(reporter) : isReporter(reporter);
    const hint =
      typeof reporter === "string"
        ? didYouMean(reporter, names, `Choose one of ${names.join(", ")}`)
        : "Pass a name, or an object with onEnd()";
    return [
      ...(isKnown ? [] : [issue(["outputs", index, "reporter"], reporter, "a reporter", hint)]),
      ...(file === undefined || (typeof file === "string" && file !== "")
        ? []
        : [issue(["outputs", index, "file"], file, "a path", "Pass the path of a file, or leave it out")]),
    ];
  });
  throwIssues(CallweaveError, ACTION, issues);
}

/** Name of a built-in reporter. */
export type ReporterName = "terminal" | "json" | "junit" | "html" | "ctrf" | "github";

/** The reporters that `--reporter NAME` and `writeReports()` know by name. */
export const REPORTERS: { readonly [Name in ReporterName]: Reporter } = {
  terminal: { onEnd: (report, { style, graph }) => formatReport(forPeople(report, graph), style) },
  json: { onEnd: formatJson },
  junit: { onEnd: (report, { graph }) => formatJunit(forPeople(report, graph)) },
  html: {
    onEnd: (report, { graph, comparison }) =>
      formatHtml(report, { ...(graph ? { graph } : {}), ...(comparison ? { comparison } : {}) }),
  },
  ctrf: { onEnd: formatCtrf },
  github: {
    onEnd: (report, { log, command = log, placeOf, graph }) => {
      const shown = forPeople(report, graph);
      command(formatGithubAnnotations(shown, placeOf));
      return formatGithubSummary(shown);
    },
  },
};

/** A report in which nodes have the names that people know, if the agent is known. */
function forPeople<T>(report: T, graph: AgentGraph | undefined): T {
  return graph ? withNodeNames(report, graph) : report;
}

/** Whether a text is the name of a built-in reporter. */
export function isReporterName(name: string): name is ReporterName {
  return Object.hasOwn(REPORTERS, name);
}

/**
 * Formats a run as JSON: the complete report with secrets redacted.
 *
 * @throws {CallweaveError} `invalid-option`.
 */
export function formatJson(report: RunReport): string {
  checkShapes({ report }, "Cannot format report");
  const redacted = redactedResult(report);
  return `${JSON.stringify({ ...redacted, results: redacted.results.map(withAudioMetricResults) }, null, 2)}\n`;
}

/** Adds the verdicts by what was heard under the name and in the form that other tools read. */
export function withAudioMetricResults(result: ResultRecord): object {
  if (!result.audio) return result;
  const audio_metric_results = result.audio.verdicts.map(({ criterion, score, threshold, passed, reasoning }) => ({
    metric: criterion,
    score,
    threshold,
    passed,
    reasoning,
  }));
  return { ...result, audio_metric_results };
}
