export { type Flow, flow } from "./flow.ts";
export type { FlowGraph } from "./flow_graph.ts";
export { type MockAnswer, type ScenarioDraft, scenario } from "./scenario.ts";
export { type Tool, tool } from "./tool.ts";
export type { FlowTypeError } from "./type_error.ts";
export { boolean, choice, number, text, type Variable, type Variables } from "./variables.ts";
