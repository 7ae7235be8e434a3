/**
 * `callweave/reporters`: formats a run's report as text, JSON, JUnit, CTRF or a summary for GitHub, and lets you write
 * your own reporters.
 *
 * @module
 */
export { reportOf } from "../src/run/runner/public.ts";
export {
  formatCtrf,
  formatGithubAnnotations,
  formatGithubSummary,
  formatHtml,
  formatJson,
  formatJunit,
  formatReport,
  formatResult,
  formatTranscript,
  type HtmlOptions,
  type ReportContext,
  type Reporter,
  type ReporterName,
  type ReportOutput,
  type SourcePlace,
  styleFor,
  writeReports,
} from "../src/surface/reporters/mod.ts";
