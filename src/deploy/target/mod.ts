export { DEPLOY_FORMATS, type DeployFormat } from "../../../platforms/mod.ts";
export { checkTarget, checkText } from "./check_target.ts";
export { type EnvironmentSettings, withEnvironment, withIds, withoutIds } from "./environment.ts";
export type { DeployScope, DeployTarget } from "./target.ts";
