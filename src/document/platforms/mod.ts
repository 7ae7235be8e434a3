export type { FieldKinds, PlatformData, PlatformKeys, PlatformWords, VariableKeys } from "./data.ts";
export {
  DEPLOY_FORMATS,
  type DeployFormat,
  PLATFORM_DATA,
  PLATFORM_NAMES,
  type PlatformName,
} from "./generated/mod.ts";
export { KEY_VARIABLES, VOICE_WORDS } from "./words.ts";
