// Written by `npm run docs` from the folders of `platforms/` that have a folder `traits`.
import { RETELL_TRAITS } from "../retell/traits/mod.ts";
import { VAPI_TRAITS } from "../vapi/traits/mod.ts";

/** The traits of every platform, by its name. */
export const ALL_TRAITS = { retell: RETELL_TRAITS, vapi: VAPI_TRAITS };

/** Name of a platform: the first word of its formats. */
export type PlatformName = keyof typeof ALL_TRAITS;

/** Names of the platforms. */
export const PLATFORM_NAMES: readonly PlatformName[] = ["retell", "vapi"];
