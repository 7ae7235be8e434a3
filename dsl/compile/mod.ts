export { compileFlow, compileNode, variableExtraction } from "./compile.ts";
export type { FlowHead } from "./variable_issues.ts";
