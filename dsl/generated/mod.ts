/** A platform that flows have options for: the first word of a format. */
export type PlatformName = "retell" | "vapi";

/** Written by `npm run docs` from the platforms. */
export const PLATFORM_NAMES: readonly PlatformName[] = ["retell", "vapi"];

/** What the option `voice` has for each platform: an id, or an object. */
export const VOICE_KINDS = { retell: "text", vapi: "object" } as const;
