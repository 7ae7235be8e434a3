export { type Style, styleFor } from "../values/mod.ts";
export { createCallLines, formatCallLine, formatReport } from "./console.ts";
export { formatJson } from "./json.ts";
export { formatJunit } from "./junit.ts";
export { formatResult, formatTranscript } from "./result.ts";
