import type { Language } from "../../../../base/languages/mod.ts";
import type { EntityKind } from "../tongue.ts";

/**
 * How people talk on the phone in a language, and how prompts and conditions are written in it. Every text is a list of
 * alternatives, separated by `|`, in lower case; they may be regular expressions.
 */
export interface SpeechTable {
  readonly code: Language;
  /** Names for the two speakers, and what conditions say of them, separated by spaces: they tell nothing of what is meant. */
  readonly speakers: string;
  /** Words that negate what follows. */
  readonly negations: string;
  /** Endings of words, without which they are compared. */
  readonly endings: string;
  /** Words that callers use for the same thing; each group is a text with spaces. */
  readonly synonyms: readonly string[];
  readonly moods: {
    /** What comes before a yes or a no. */
    readonly fillers: string;
    /** How a reply begins that agrees. */
    readonly yes: string;
    /** How a reply begins that declines. */
    readonly no: string;
    /** The last word of a short reply that declines, whatever is before it: "absolutely not". */
    readonly refusal?: string;
    /** How such a reply begins that agrees: "why not". */
    readonly whyNot?: string;
    readonly done: string;
    readonly lost: string;
    /** Whole replies of someone who did not follow. */
    readonly lostAlone: string;
  };
  /** Words for a kind of value, in questions and descriptions. The first kind that has a word decides. */
  readonly kinds: { readonly [kind in EntityKind]: string };
  /** Words of questions and descriptions that want the caller's own words. */
  readonly reasons: string;
  /** What comes before a name; a name follows it. */
  readonly introductions: string;
  /** What comes after a name. */
  readonly afterName?: string;
  /** What comes before a value in an answer. */
  readonly leadIns: string;
  readonly address: string;
  /** Words for the signs of a mail address. */
  readonly emailSigns: { readonly dot: string; readonly at: string };
  readonly conditions: {
    /** How a condition about the caller begins. */
    readonly people: string;
    readonly given: string;
    readonly finished: string;
    readonly resumes: string;
    readonly resumed: string;
    readonly agrees: string;
    readonly declines: string;
    readonly workFailed: string;
    readonly workDone: string;
    /** Conditions that any reply meets. */
    readonly any: string;
  };
  readonly caller: {
    readonly yes: string;
    readonly unknown: string;
    readonly closing: string;
    readonly bye: string;
    /** Words of a sentence that says what the caller wants. */
    readonly wants: string;
    /** How a sentence about manner begins. */
    readonly manner: string;
    /** "If asked for X, say Y", with a group for each. */
    readonly whenAsked: string;
    /** Words in the second person, and the same in the first: pairs. */
    readonly firstPerson: readonly (readonly [string, string])[];
    /** How a yes-no question begins or ends, as it is written. */
    readonly asksYesNo: string;
    readonly asksMore: string;
  };
  readonly agent: {
    readonly hello: string;
    readonly what: string;
    readonly else: string;
    readonly again: string;
    readonly bye: string;
    readonly thanks: string;
    readonly found: string;
    readonly isThatRight: string;
    /** Words before a quotation that the agent is to say. */
    readonly says: string;
    /** Instructions, with a group for what they are about. */
    readonly asks: string;
    readonly tells: string;
    readonly confirms: string;
    readonly greets: string;
    readonly parts: string;
    readonly thanksThem: string;
    /** How a sentence about manner or another situation begins. */
    readonly manner: string;
    /** The question for a value of a kind. `other`: `#` is what the prompt names. */
    readonly questions: { readonly [kind in EntityKind | "other"]: string };
  };
}
