export { createCallLines, formatCallLine, formatReport } from "./console.ts";
export { formatJson } from "./json.ts";
export { formatJunit } from "./junit.ts";
export { formatResult, formatTranscript } from "./result.ts";
export { cut, oneLine, paint, type Style, styleFor, wrap } from "./style.ts";
export { formatDollars } from "./usage.ts";
