import type ipaddr from "ipaddr.js";
import type { CallLanguage, Dictionary } from "../dictionary.ts";
import type { PhoneReader } from "../phones.ts";
import type { Keyed, NamePool, PersonalNumberKind } from "../pseudonyms.ts";
import type { Cues } from "./cues.ts";

/** Personal data that the texts of a call contain, collected before any is replaced. */
export interface Known {
  /** Language of texts that do not show their own. */
  readonly language: CallLanguage | undefined;
  /** Words of names, as `plainWord` returns them. */
  readonly names: Set<string>;
  /** Phone numbers in normalized form. */
  readonly phones: Set<string>;
  /** Other numbers by their digits. */
  readonly numbers: Map<string, PersonalNumberKind>;
  /** Dates of birth: year, month and day, joined with "-". */
  readonly birthdates: Set<string>;
}

/** Hints about a text from around it: where it is, and the question that it answers. */
export interface FieldContext {
  /** Keys on the path to it, in words, the innermost last: `passenger first name`. Empty for speech. */
  readonly key: string;
  /** The previous message of the other side. */
  readonly asked: string;
}

/** The context of a text, and its language. */
export interface FinderContext extends FieldContext {
  readonly cues: Cues;
  readonly language: CallLanguage | undefined;
}

/** The tools of finders and pseudonyms. */
export interface Tools {
  readonly keyed: Keyed;
  readonly dictionary: Dictionary;
  readonly pool: NamePool;
  readonly phones: PhoneReader;
  /** Parses addresses of the Internet. */
  readonly ips: Pick<typeof ipaddr, "isValid" | "parse">;
}

/** Personal data in a text. */
export interface FoundData {
  readonly start: number;
  readonly end: number;
  /** Records values to search for in other texts of the call. */
  readonly learn?: (known: Known) => void;
  readonly replacement: (known: Known) => string;
}

/** Finds one kind of personal data. */
export type Finder = (text: string, context: FinderContext, tools: Tools, known: Known) => readonly FoundData[];

/** Creates an empty record. */
export function createKnown(language: CallLanguage | undefined): Known {
  return { language, names: new Set(), phones: new Set(), numbers: new Map(), birthdates: new Set() };
}
