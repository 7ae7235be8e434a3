export { compileFlow, compileNode, variableExtraction } from "./compile.ts";
export type { FlowHead } from "./flow_head.ts";
