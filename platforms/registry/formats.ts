import type { FlowTypeError, Listed } from "../../src/base/values/mod.ts";
import { withCommonSettings } from "../common/mod.ts";
import { graph } from "../graph/mod.ts";
import { IMPORTS } from "../imports/mod.ts";
import type { Format } from "../platform.ts";
import { PLATFORM_FORMATS, PLATFORMS } from "./all_platforms.ts";

/** All formats, in the order in which they are listed: those of the platforms, of other tools, and the graph's own document. */
export const ALL = [...PLATFORM_FORMATS, ...IMPORTS, graph] as const;

/** Formats of {@link importAgent} and {@link emit}. */
export const FORMATS: readonly Format<FormatName>[] = ALL.map((format: Format<FormatName>) => {
  const platform = Object.values(PLATFORMS).find(({ name }) => name === format.name.split("-")[0]);
  return platform ? withCommonSettings(format, platform) : format;
});

/** Names for `emit()` and `importAgent()`: `retell`, `vapi-squad`, `graph` and the others of `formats()`. */
export type FormatName = (typeof ALL)[number]["name"];

/**
 * Resolves to the name, or to a type-level message if no format has it. A plain `string` is accepted; functions throw
 * `unknown-format` for a wrong name at run time.
 */
export type CheckFormat<Name extends string> = Name extends FormatName
  ? Name
  : string extends Name
    ? Name
    : FlowTypeError<`there is no format "${Name}"; there are ${Listed<typeof ALL>}`>;

/** Any text; editors still suggest the names of formats. */
export type AnyFormatName = FormatName | (string & {});
