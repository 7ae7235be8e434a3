import { findAddresses } from "./addresses.ts";
import { findBirthdates } from "./dates.ts";
import { findEmails } from "./emails.ts";
import type { Finder } from "./found.ts";
import { findIps } from "./ips.ts";
import { findNames } from "./names.ts";
import { findIbans, findMixedIds, findNumbers } from "./numbers.ts";
import { findScriptNames } from "./script_names.ts";
import { findSpelled } from "./spelled.ts";

export { type Cue, createCues, cueOfKey } from "./cues.ts";
export { createKnown, type FieldContext, type FoundData, type Known, type Tools } from "./found.ts";

/** All finders; if two match the same place, the first one wins. */
export const FINDERS: readonly Finder[] = [
  findEmails,
  findIbans,
  findIps,
  findBirthdates,
  findAddresses,
  findMixedIds,
  findNumbers,
  findSpelled,
  findNames,
  findScriptNames,
];
