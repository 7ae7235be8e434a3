export { dashboardAgent, readName, UNNAMED } from "./agent.ts";
export { brokenBody, EXPORT_KEYS, hasFlowKey, missingEngine, openContainer } from "./container.ts";
export { type Field, getFields, putFields, readFields, SHARED_FIELDS, withMetadata } from "./fields.ts";
export { bodyKeys, keep, LLM_OWNER, llmKeys, OWNER, ownKeys } from "./keep.ts";
export { createLosses, type Losses, type LossTable, loseForeignSettings, loseVariableTypes } from "./losses.ts";
export { freeName, isRetellName, NAME_LIMIT, Names, retellName, slug } from "./names.ts";
export { checkTool, missingDestination, NAME_HINT, unknownShape } from "./report.ts";
export { retellShape } from "./shape.ts";
export { requiredDefaults, retellTables, sharedKeys } from "./tables.ts";
export { completeTool, readTool, TOOL_FIELDS, VARIABLE_FIELDS } from "./tool.ts";
export {
  asText,
  callersOf,
  isSet,
  isText,
  isTextList,
  isTextMap,
  modelName,
  records,
  textVariables,
} from "./values.ts";
