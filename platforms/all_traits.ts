// Written by `npm run docs` from the folders of `platforms/` that have a `traits.ts`.
import { RETELL_TRAITS } from "./retell/traits.ts";
import { VAPI_TRAITS } from "./vapi/traits.ts";

/** The traits of every platform, by its name. */
export const ALL_TRAITS = { retell: RETELL_TRAITS, vapi: VAPI_TRAITS };

/** Name of a platform: the first word of its formats. */
export type PlatformName = keyof typeof ALL_TRAITS;

/** Names of the platforms. */
export const PLATFORM_NAMES: readonly PlatformName[] = ["retell", "vapi"];
