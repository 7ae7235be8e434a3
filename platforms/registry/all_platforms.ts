// Written by `npm run docs` from the folders of `platforms/` that have a folder `traits`.
import type { PlatformName } from "../known/mod.ts";
import type { PlatformFacts } from "../facts.ts";
import { RETELL } from "../retell/mod.ts";
import { VAPI } from "../vapi/mod.ts";

type Facts = { readonly [Name in PlatformName]: PlatformFacts<Name> };

/** Everything about every platform, by its name. */
export const PLATFORMS = { retell: RETELL, vapi: VAPI } satisfies Facts;

/** The formats of every platform. */
export const PLATFORM_FORMATS = [...RETELL.formats, ...VAPI.formats] as const;
