export { checkTarget, checkText } from "./check_target.ts";
export { type EnvironmentSettings, withEnvironment, withIds, withoutIds } from "./environment.ts";
export { DEPLOY_FORMATS, type DeployFormat, type DeployTarget, type Place, platformName } from "./target.ts";
