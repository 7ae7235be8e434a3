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
export { foreignSettings, foreignToolSettings } from "./foreign_settings.ts";
export { systemValues } from "./system_values.ts";
