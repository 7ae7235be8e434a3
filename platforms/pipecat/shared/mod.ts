export type { Code, CodeRoute } from "./code.ts";
export { type Abilities, fromGraph } from "./from_graph.ts";
export {
  type FlowBranch,
  type FlowFunction,
  type FlowModel,
  type FlowNode,
  objectsIn,
  refuse,
  textIn,
} from "./model.ts";
export { contextStrategy, nodeIn, nodeTo, plainInstruction } from "./older.ts";
export { toGraph } from "./to_graph.ts";
