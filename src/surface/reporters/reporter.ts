import { PLAIN, type Style } from "../../base/values/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import type { RunComparison } from "../../run/compare/mod.ts";
import type { RunEvent, RunReport } from "../../run/runner/mod.ts";

/** Where a scenario is defined. */
export interface SourcePlace {
  /** Path from the root of the repository. */
  readonly file: string;
  /** From 1. */
  readonly line?: number;
}

/** Context of a reporter besides the report. */
export interface ReportContext {
  /** Colours and width of the output that the text is for. */
  readonly style: Style;
  /** Writes a text to standard error, at once. In it, the command line makes what a CI runner obeys harmless. */
  readonly log: (text: string) => void;
  /**
   * Writes commands for a CI runner, such as `::error::…`, to standard error as they are. Escape what was said in a
   * call. Default: `log`.
   */
  readonly command?: (text: string) => void;
  /** The agent. Absent when it is not known. */
  readonly graph?: AgentGraph;
  /** How the run differs from an earlier one. Absent when there is none to compare with. */
  readonly comparison?: RunComparison;
  /** Returns where a scenario is defined, if that is known. */
  readonly placeOf?: (scenario: string) => SourcePlace | undefined;
  /** Aborted when the reporter takes too long, or with Ctrl-C. */
  readonly signal?: AbortSignal;
}

/**
 * Turns a run into a text, or into files of its own. `--reporter ./my_reporter.ts` uses the export `reporter` of a
 * module, or its default export.
 *
 * @example
 * ```ts
 * import type { Reporter } from "callweave/reporters";
 *
 * export const reporter: Reporter = {
 *   onEvent: (event) => {
 *     if (event.kind === "call-end") console.error(`${event.scenario}: ${event.result.status}`);
 *   },
 *   onEnd: (report) => `${report.counts.pass} of ${report.results.length} calls passed\n`,
 * };
 * ```
 */
export interface Reporter {
  /** Called during the run: when it starts, and at each call's start, turns and end. Its promises are not awaited. */
  readonly onEvent?: (event: RunEvent) => void;
  /**
   * Called once, after the run. Returns the text of the report, which goes to the file of `--reporter NAME:FILE` or to
   * standard output; or writes files itself and returns nothing.
   */
  readonly onEnd: (report: RunReport, context: ReportContext) => string | undefined | Promise<string | undefined>;
}

/** Whether a value is a {@link Reporter}. */
export function isReporter(value: unknown): value is Reporter {
  if (typeof value !== "object" || value === null || !("onEnd" in value)) return false;
  const onEvent: unknown = Reflect.get(value, "onEvent");
  return typeof value.onEnd === "function" && (onEvent === undefined || typeof onEvent === "function");
}

/** A context without a terminal. */
export const NO_CONTEXT: ReportContext = { style: PLAIN, log: () => {} };
