import type { FlowTypeError } from "../../src/values/mod.ts";
import { withCommonSettings } from "../common/mod.ts";
import type { Format } from "../platform.ts";
import { retell, retellLlm } from "../retell/mod.ts";
import { vapiAssistant, vapiSquad, vapiWorkflow } from "../vapi/mod.ts";
import { voicetest } from "../voicetest/mod.ts";
import { mermaid, svg } from "./pictures.ts";

/** Every format that Callweave knows, in the order in which they are listed to people. A new one is one line here. */
const ALL = [retell, retellLlm, vapiSquad, vapiAssistant, vapiWorkflow, voicetest, mermaid, svg] as const;

/** The formats of {@link importAgent} and {@link emit}. */
export const FORMATS: readonly Format<FormatName>[] = ALL.map((format: Format<FormatName>) =>
  withCommonSettings(format),
);

/** The names that `emit()` and `importAgent()` take: `retell`, `vapi-squad`, `mermaid` and the others of `formats()`. */
export type FormatName = (typeof ALL)[number]["name"];

/**
 * The name, or a message where no format has it. A text that only the program knows passes; a function that takes it
 * throws `unknown-format` where it is no format's name.
 */
export type CheckFormat<Name extends string> = Name extends FormatName
  ? Name
  : string extends Name
    ? Name
    : FlowTypeError<`there is no format "${Name}"; there are ${Listed<NamesOf<typeof ALL>>}`>;

type NamesOf<Formats extends readonly Format[]> = { readonly [Index in keyof Formats]: Formats[Index]["name"] };

/** Names as a sentence lists them: `retell, vapi-squad, mermaid`. */
export type Listed<Names extends readonly unknown[]> = Names extends readonly [
  infer First extends string,
  ...infer Rest extends readonly unknown[],
]
  ? Rest extends readonly []
    ? First
    : `${First}, ${Listed<Rest>}`
  : "";

/** Any text, beside which editors still offer the names of formats. */
export type AnyFormatName = FormatName | (string & {});
