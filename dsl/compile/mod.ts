export { compileFlow, compileNode, extractionOf } from "./compile.ts";
export type { FlowHead } from "./flow_head.ts";
