export { type Style, styleFor } from "../../base/values/mod.ts";
export { caseOf, type ScenarioCase } from "./cases.ts";
export { createCallLines, formatCallLine, formatReport } from "./console.ts";
export { formatCtrf } from "./ctrf.ts";
export { formatGithubAnnotations, formatGithubSummary } from "./github.ts";
export { formatHtml, type HtmlOptions, wholeCalls } from "./html/mod.ts";
export { formatCase, formatJunit } from "./junit.ts";
export { isReporter, type ReportContext, type Reporter, type SourcePlace } from "./reporter.ts";
export { formatResult, formatTranscript } from "./result.ts";
export { type GuardedReporter, guardReporter } from "./run_reporter.ts";
export {
  formatJson,
  isReporterName,
  REPORTERS,
  type ReporterName,
  type ReportOutput,
  withAudioMetricResults,
  writeReports,
} from "./write_reports.ts";
