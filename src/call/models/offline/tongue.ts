import type { Language } from "../../../base/languages/mod.ts";

/** Kinds of values that are recognized by their form. */
export type EntityKind = "name" | "email" | "phone" | "date" | "time" | "identifier" | "number" | "address";

/** The mood of a reply. */
export interface Mood {
  readonly yes: boolean;
  readonly no: boolean;
  /** The caller has nothing more to say, or says goodbye. */
  readonly done: boolean;
  /** The caller did not follow, needs a moment or does not know. */
  readonly lost: boolean;
}

/** One word of a text. */
export interface StemmedWord {
  /** Form used for comparison: lower case, without endings. A negated word starts with `!`. */
  readonly stem: string;
  /** Index of the word in the text. */
  readonly at: number;
}

/** A sentence that a persona can say, in the caller's words. */
export interface PersonaPart {
  readonly spoken: string;
  /** Words that a question of the agent must share to be answered by this sentence. */
  readonly about: ReadonlySet<string>;
  /** `goal`: said unasked. `fact`: said when asked. `instruction`: an answer that the persona prescribes. */
  readonly kind: "goal" | "fact" | "instruction";
}

/** Tells texts of a kind. A regular expression is one. */
export interface Matcher {
  readonly test: (text: string) => boolean;
}

/** The words and forms by which the offline model understands a call and speaks in it: those of its language. */
export interface Tongue {
  /** The words of a text that carry meaning, in order. */
  readonly significantWords: (text: string) => readonly StemmedWord[];
  readonly stem: (word: string) => string;
  /** Whether two stems have the same meaning: equal or synonyms, and both or neither negated. */
  readonly sameMeaning: (a: string, b: string) => boolean;
  readonly moodOf: (reply: string) => Mood;
  /** The kind of value that a description or a question asks for. */
  readonly askedKind: (description: string) => EntityKind | undefined;
  /** The first value of a kind in a text, verbatim; numbers in digits. */
  readonly findEntity: (text: string, kind: EntityKind) => string | undefined;
  /** The name in a reply to the question for it. */
  readonly nameInReply: (text: string) => string | undefined;
  /** Questions for a name. */
  readonly asksName: Matcher;
  readonly withoutLeadIn: (text: string) => string | undefined;
  /** Questions and descriptions that want the caller's own words. */
  readonly wantsOwnWords: Matcher;
  readonly conditions: {
    /** What the caller gives by a condition; `undefined` if it is not about giving something. */
    readonly given: (condition: string) => string | undefined;
    readonly reason: Matcher;
    readonly finished: Matcher;
    readonly resumes: Matcher;
    readonly resumed: Matcher;
    readonly agrees: Matcher;
    readonly declines: Matcher;
    readonly people: Matcher;
    readonly workFailed: Matcher;
    readonly workDone: Matcher;
    readonly anyReply: Matcher;
    /** Words that deny. */
    readonly denies: Matcher;
    /** Questions for something else. */
    readonly more: Matcher;
  };
  readonly caller: {
    readonly yes: string;
    readonly unknown: string;
    readonly closing: string;
    readonly bye: string;
    readonly language: Language;
    /** What a caller says because of a trait, by its English words. */
    readonly traitLine: (english: string) => string;
    readonly asksYesNo: Matcher;
    readonly asksForMore: Matcher;
    readonly personaParts: (persona: string) => readonly PersonaPart[];
  };
  readonly agent: {
    /** The first reply of an agent whose prompt says nothing. */
    readonly what: string;
    /** A later one. */
    readonly next: string;
    readonly else: string;
    /** Asks once more; `#` is the question. */
    readonly again: string;
    /** Tells what tools returned: `#`. */
    readonly found: string;
    /** What is to be said of a sentence of a prompt. */
    readonly spoken: (sentence: string) => readonly string[];
    /** Whether a sentence of a prompt states a fact, and is neither an instruction nor about manner. */
    readonly states: Matcher;
  };
  /** Criteria about asking. */
  readonly criterionAsks: Matcher;
  /** Questions that a caller may leave open. */
  readonly closing: Matcher;
}
