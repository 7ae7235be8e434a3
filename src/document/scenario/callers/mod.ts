export type { LanguageTrait, OfflineEffect, TraitAudit, TraitEffect, TraitRule, TraitWords } from "./effect.ts";
export { CALLER_SETS, CALLERS, type CallerName, type CallerSetName } from "./sets.ts";
export {
  type CallerTrait,
  type CallerTraits,
  hasTraits,
  isLanguageTag,
  isTraitName,
  languageName,
  personaWithTraits,
  SAYS,
  speechWithTraits,
  TRAITS_HEADING,
  type TraitName,
  traitNames,
  traitsOf,
  traitsText,
  traitWords,
} from "./traits.ts";
export { TRAITS } from "./vocabulary.ts";
