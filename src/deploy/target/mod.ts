export { checkTarget, checkText } from "./check_target.ts";
export { type EnvironmentSettings, withEnvironment, withIds, withoutIds } from "./environment.ts";
export type { DeployFormat, DeployTarget, Place } from "./target.ts";
