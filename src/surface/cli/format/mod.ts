export { formatTurnComparison } from "./format_comparison.ts";
export { formatConversion, markdownConversion } from "./format_conversion.ts";
export { formatEstimate } from "./format_estimate.ts";
export { formatFindings } from "./format_findings.ts";
export { formatLosses, formatPortability } from "./format_portability.ts";
export { formatVerification } from "./format_verification.ts";
export { listStyle } from "./grouped.ts";
export { markdownCode } from "./markdown_code.ts";
export { type CheckedFile, sarifLog } from "./sarif.ts";
