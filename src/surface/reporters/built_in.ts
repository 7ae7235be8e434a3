import { type AgentGraph, withNodeNames } from "../../document/graph/mod.ts";
import { formatReport } from "./console.ts";
import { formatCtrf } from "./ctrf.ts";
import { formatGithubAnnotations, formatGithubSummary } from "./github/mod.ts";
import { formatHtml } from "./html/mod.ts";
import { formatJson } from "./json.ts";
import { formatJunit } from "./junit.ts";
import type { Reporter } from "./reporter.ts";

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
export function forPeople<T>(report: T, graph: AgentGraph | undefined): T {
  return graph ? withNodeNames(report, graph) : report;
}

/** Whether a text is the name of a built-in reporter. */
export function isReporterName(name: string): name is ReporterName {
  return Object.hasOwn(REPORTERS, name);
}
