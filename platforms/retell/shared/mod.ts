export { dashboardAgent, ownAgent, readName, UNNAMED } from "./agent.ts";
export { brokenBody, EXPORT_KEYS, missingEngine, openContainer } from "./container.ts";
export { requiredDefaults, toolDefaults, toolKinds } from "./defaults.ts";
export { bodyKeys, keep, OWNER, ownKeys } from "./keep.ts";
export { FLOW_PASSES, LLM_PASSES } from "./passes.ts";
export {
  checkTool,
  isRetellName,
  isSet,
  NAME_HINT,
  type Report,
  records,
} from "./report.ts";
export { retellShape } from "./shape.ts";
export { requiredKeys, retellTables, sharedKeys } from "./tables.ts";
