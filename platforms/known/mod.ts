export { ALL_TRAITS, PLATFORM_NAMES, type PlatformName } from "./all_traits.ts";
export {
  ADDRESS_KEYS,
  destinationsIn,
  destinationsOf,
  isE164,
  isOpenTool,
  isTransferTool,
  missingDestinations,
  NEUTRAL,
  otherKeys,
  type Transfer,
  withoutDestinations,
} from "./destinations.ts";
export { foreignSettings, foreignToolSettings, settingsOfTool } from "./foreign_settings.ts";
export { carriedRequest, requestSettings } from "./requests.ts";
export { systemValues } from "./system_values.ts";
