export { coverageCommand } from "./coverage.ts";
export { formatCoverageSummary } from "./format_coverage.ts";
export { type MeasuredCoverage, measureCoverage } from "./measure_coverage.ts";
export { readMinCoverage } from "./min_coverage.ts";
