import type { Dictionary } from "../dictionary.ts";
import type { Keyed } from "../keyed.ts";
import type { PhoneReader } from "../phones.ts";
import type { NamePool, NumberKind } from "../pseudonyms/mod.ts";

/** What is known of the persons of a call, from all of its texts. */
export interface Known {
  /** Words of names, as `plainWord` writes them. */
  readonly names: Set<string>;
  /** Phone numbers, as the reader of phone numbers writes them. */
  readonly phones: Set<string>;
  /** Other numbers by their digits. */
  readonly numbers: Map<string, NumberKind>;
  /** Days of birth: year, month and day, joined with "-". */
  readonly birthdates: Set<string>;
}

/** Where a text stands. */
export interface TextContext {
  /** Keys on the way to it, in words, the last one at the end: `passenger first name`. Empty for what was said. */
  readonly key: string;
  /** What the other side said before. */
  readonly asked: string;
}

/** What finders and pseudonyms work with. */
export interface Tools {
  readonly keyed: Keyed;
  readonly dictionary: Dictionary;
  readonly pool: NamePool;
  readonly phones: PhoneReader;
}

/** Personal data in a text. */
export interface Found {
  readonly start: number;
  readonly end: number;
  /** Notes what other texts of the call can be searched for. */
  readonly learn?: (known: Known) => void;
  readonly replacement: (known: Known) => string;
}

/** Finds one kind of personal data. */
export type Finder = (text: string, context: TextContext, tools: Tools, known: Known) => readonly Found[];

/** Creates what is known before anything was read. */
export function createKnown(): Known {
  return { names: new Set(), phones: new Set(), numbers: new Map(), birthdates: new Set() };
}
