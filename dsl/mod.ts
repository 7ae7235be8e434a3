export type { Equation } from "./condition.ts";
export { env } from "./env.ts";
export { type Flow, flow } from "./flow.ts";
export type { FlowGraph } from "./flow_graph.ts";
export type { KitOf, NodeDefinition, NodeKit } from "./nodes.ts";
export { type Part, type PartOptions, part } from "./part.ts";
export {
  type AtLeastOne,
  type NamesOf,
  type ScenarioDraft,
  type ScenarioNames,
  scenario,
  type ValuesOf,
} from "./scenario.ts";
export type { Setup } from "./setup.ts";
export { type Tool, tool } from "./tool.ts";
export type { MockAnswer } from "./tool_call.ts";
export type { FlowTypeError } from "./type_error.ts";
export { boolean, choice, number, type TextVariable, text, type Variable, type Variables } from "./variables.ts";
