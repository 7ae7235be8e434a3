import type { CallerSpeech } from "../caller_line.ts";

/** What the lines of a caller show of a trait, as rules can compute it. */
export type TraitRule =
  /** The caller hangs up after so many refusals of the agent. */
  | { readonly rule: "hangs-up"; readonly refusals: number }
  /** The caller does not hang up before so many refusals. */
  | { readonly rule: "stays"; readonly refusals: number }
  /** The lines are short and without courtesies. */
  | { readonly rule: "brief"; readonly words: number }
  /** The lines are long. */
  | { readonly rule: "long"; readonly words: number }
  /** At least half of the lines have pauses, hesitations, or fragments in place of sentences. */
  | { readonly rule: "pauses" }
  | { readonly rule: "fillers" }
  | { readonly rule: "fragments" }
  /** The caller asks again, at least once in so many of its lines. `orTwice`: or asks a question that it has asked before. */
  | { readonly rule: "asks-again"; readonly lines: number; readonly orTwice?: true }
  /** The caller begins to speak before the agent is done. */
  | { readonly rule: "interrupts" }
  /** The lines are in the caller's language. */
  | { readonly rule: "language" };

/** How the audit sees a trait. */
export type TraitAudit = { readonly shows: string } & (TraitRule | { readonly rule: "judge" });

/** How the offline model plays a trait: by fixed words and fixed changes. */
export interface OfflineEffect {
  /** Said before a line; one after another. */
  readonly before?: readonly string[];
  /** Said behind a line; one after another. */
  readonly after?: readonly string[];
  /** A line of its own in place of an answer: at the caller's line `from`, counted from 0, and then after every `every` lines. */
  readonly turn?: { readonly says: string; readonly from: number; readonly every: number };
  /** A change of each line's words. */
  readonly change?: "fillers" | "fragments" | "pauses" | "gaps" | "brief" | "no-articles";
}

/** A value of a trait, and everything that is made of it. */
export interface TraitEffect {
  /** What the caller is, in a few words. */
  readonly is: string;
  /** What the caller does with words, as its model is told. */
  readonly prompt: string;
  /** How the caller sounds, in calls by voice. */
  readonly voice?: Pick<CallerSpeech, "rate" | "noise_db" | "packet_loss">;
  /** How often the caller talks over the agent: in one of so many turns, after so many words of the reply. */
  readonly interrupts?: { readonly every: number; readonly after_words: number };
  readonly examples: readonly string[];
  readonly audit: TraitAudit;
  readonly offline: OfflineEffect;
}

/** A trait with its values. */
export interface TraitWords {
  /** What the trait is, in a few words. */
  readonly what: string;
  readonly values: { readonly [value: string]: TraitEffect };
}

/** A trait whose value is a language: a BCP 47 tag. */
export interface LanguageTrait {
  readonly what: string;
  /** The effect of a language; `{language}` and `{tag}` stand for it. */
  readonly ofLanguage: TraitEffect;
}
