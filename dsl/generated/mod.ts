/** A platform that flows have options for: the first word of a format. */
export type PlatformName = "retell" | "vapi";

/** Written by `npm run docs` from the list of formats. */
export const PLATFORM_NAMES: readonly PlatformName[] = ["retell", "vapi"];
