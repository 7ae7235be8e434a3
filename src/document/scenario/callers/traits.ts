import { isRecord } from "../../../base/values/mod.ts";
import type { CallerSpeech } from "../caller_line.ts";
import type { LanguageTrait, TraitEffect, TraitWords } from "./effect.ts";
import { TRAITS } from "./vocabulary.ts";

/** The name of a trait: `mood`, `patience`, … */
export type TraitName = keyof typeof TRAITS;

/**
 * The traits of a simulated caller. `callweave callers` and docs/difficult-callers.md say what each does. A trait that is
 * absent has no effect.
 */
export type CallerTraits = {
  readonly [Name in TraitName]?:
    | ((typeof TRAITS)[Name] extends { readonly values: infer Values } ? keyof Values & string : string)
    | null;
};

/** A trait of a caller, with its effect. */
export interface CallerTrait {
  readonly trait: TraitName;
  readonly value: string;
  readonly effect: TraitEffect;
}

const WORDS: { readonly [Name in TraitName]: TraitWords | LanguageTrait } = TRAITS;

/** Names of all traits, in the order of the vocabulary. */
export function traitNames(): readonly TraitName[] {
  return Object.keys(TRAITS).filter(isTraitName);
}

export function isTraitName(name: string): name is TraitName {
  return Object.hasOwn(TRAITS, name);
}

/** The words of a trait: its values, or the effect of a language. */
export function traitWords(name: TraitName): TraitWords | LanguageTrait {
  return WORDS[name];
}

/** The traits of a caller that are set, in the order of the vocabulary. */
export function traitsOf(traits: CallerTraits | null | undefined): readonly CallerTrait[] {
  if (!traits) return [];
  return traitNames().flatMap((trait) => {
    const value = traits[trait];
    if (typeof value !== "string") return [];
    const words = WORDS[trait];
    if ("ofLanguage" in words) return [{ trait, value, effect: ofLanguage(words.ofLanguage, value) }];
    const effect = Object.hasOwn(words.values, value) ? words.values[value] : undefined;
    return effect ? [{ trait, value, effect }] : [];
  });
}

/** Whether a caller has a trait. */
export function hasTraits(traits: CallerTraits | null | undefined): traits is CallerTraits {
  return isRecord(traits) && Object.values(traits).some((value) => value !== null && value !== undefined);
}

function ofLanguage(effect: TraitEffect, tag: string): TraitEffect {
  const filled = (text: string) => text.replaceAll("{language}", languageName(tag)).replaceAll("{tag}", tag);
  return { ...effect, is: filled(effect.is), prompt: filled(effect.prompt) };
}

/** The English name of a language: `Swiss High German` for `de-CH`. */
export function languageName(tag: string): string {
  return new Intl.DisplayNames(["en"], { type: "language" }).of(tag) ?? tag;
}

/** Begins a line of a persona that the caller says in its own words. */
export const SAYS = "Say: ";
/** Begins the part of a persona that says how the caller talks. */
export const TRAITS_HEADING = "How you talk in this call:";

/** A persona with what its traits do to the caller's words, as the caller's model is told it. */
export function personaWithTraits(persona: string, traits: CallerTraits | null | undefined): string {
  const own = traitsOf(traits);
  if (own.length === 0) return persona;
  const lines = own.map(({ effect }) => `- ${effect.prompt}`);
  return [persona.trim(), "", TRAITS_HEADING, ...lines].join("\n").trim();
}

/** How a caller with traits speaks, by voice. What the scenario says itself goes before. */
export function speechWithTraits(
  traits: CallerTraits | null | undefined,
  speaks: CallerSpeech | null | undefined,
): CallerSpeech | undefined {
  const voices = traitsOf(traits).flatMap(({ effect: { voice } }) => (voice ? [voice] : []));
  const language = traits?.language;
  const rates = voices.flatMap(({ rate }) => rate ?? []);
  const speech: CallerSpeech = {
    ...Object.assign({}, ...voices),
    ...(rates.length > 1 ? { rate: bounded(rates.reduce((product, rate) => product * rate, 1)) } : {}),
    ...(typeof language === "string" ? { language: new Intl.Locale(language).language } : {}),
    ...speaks,
  };
  return Object.keys(speech).length > 0 ? speech : undefined;
}

/** Keeps a product of rates within what speech models do. */
function bounded(rate: number): number {
  return Math.round(Math.min(4, Math.max(0.25, rate)) * 100) / 100;
}

/** A caller's traits in one line: `mood: angry, patience: short`. */
export function traitsText(traits: CallerTraits | null | undefined): string {
  return traitsOf(traits)
    .map(({ trait, value }) => `${trait}: ${value}`)
    .join(", ");
}

/** Whether a text is the tag of a language: `de`, `de-CH`, `zh-Hant-TW`. */
export function isLanguageTag(text: string): boolean {
  try {
    return text.length > 0 && new Intl.Locale(text).language !== "und";
  } catch {
    return false;
  }
}
