export { dashboardAgent, ownAgent, readName, UNNAMED } from "./agent.ts";
export {
  brokenBody,
  type Container,
  closeContainer,
  missingEngine,
  type Opened,
  openContainer,
  readContainer,
} from "./container.ts";
export { requiredDefaults, toolDefaults, toolKinds } from "./defaults.ts";
export { type Kept, keep, kept, type Lens, note, OWNER, wasAbsent } from "./keep.ts";
export { requiredKeys, retellTables, sharedKeys } from "./tables.ts";
