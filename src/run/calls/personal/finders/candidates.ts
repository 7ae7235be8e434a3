import { PLACES, VENUES, WORD_FIRST_NAMES, WORD_LAST_NAMES } from "./lists.ts";
import { INTRODUCTION, PERSON_CUE, VOCATIVE } from "./name_cues.ts";
import { canContinue, type DictionaryWord, isNoun } from "./words.ts";

/** Whether a word can be a name by itself, or because of the words before it. */
export function isCandidate(
  word: DictionaryWord,
  before: string,
  text: string,
  isLower: boolean,
  next: DictionaryWord | undefined,
): boolean {
  if (word.isMadeUp || isPlainWord(word)) return false;
  const isPerson = PERSON_CUE.test(before);
  const isIntroduced = isPerson || INTRODUCTION.test(before);
  const after = text.slice(word.end, word.end + 20);
  const isCode = next?.isUpper === true && next.plain.length < 5 && !word.isUpper; // "Flight BA 249"
  const nextName = next && !next.isMadeUp && !isCode && isBeside(text, word, next) ? next : undefined;
  const isFirstName = WORD_FIRST_NAMES.has(word.plain);
  const closes = CLOSING.test(after);
  if (!word.isCapital) {
    if (word.isNever || word.isPlace || !(isLower || isIntroduced)) return false;
    if (word.isStrong) return isLower ? word.plain.length >= (isIntroduced ? 2 : 4) : word.plain.length > 3 && closes;
    const goesOn =
      nextName !== undefined &&
      !nextName.isCapital &&
      canContinue(nextName) &&
      (nextName.isStrong || CLOSING.test(text.slice(nextName.end)));
    return (
      isIntroduced &&
      ((isFirstName && (goesOn || /^ from\b/.test(after) || SPEAKING.test(after))) ||
        (!word.isWord && (goesOn || /^ from\b/.test(after) || SPEAKING.test(after))))
    );
  }
  if (word.isUpper && word.plain.length <= 4 && !isPerson && nextName?.isStrong !== true) return false;
  if (PLACES.has(word.plain) && /(?:^|\s)(?:San|Santa|Saint|Sankt|St\.|Los|Las) $/.test(before)) return false;
  const isThing = VENUE_BEFORE.test(before) || (nextName !== undefined && NEVER_LAST.test(nextName.plain));
  if (word.isStrong && !isThing)
    return (
      isIntroduced ||
      !isAfterArticle(before, word) ||
      nextName?.isStrong === true ||
      (word.language === "de" && nextName?.isName === true && !isVenue(nextName))
    );
  if (isThing) return false;
  // "London Hauck", but not "Boston Globe"
  const isAddressed = isIntroduced || VOCATIVE.test(before);
  const isFull = word.isGiven && nextName?.isCapital === true && canContinue(nextName);
  if (word.isPlace)
    return isFull && !isVenue(nextName) && (isAddressed || nextName.isStrong || !(nextName.isWord || nextName.isPlace));
  const isSpeaking = nextName?.isCapital === true && SPEAKING.test(text.slice(nextName.end, nextName.end + 20));
  if (isFull && (isAddressed || isSpeaking) && !isFirm(nextName)) return true;
  if (word.isNever || isVenue(word)) return false;
  if (isIntroduced && word.isName && /^ (?:(?:van|von|der|de|del|de la|da|di|al|el|bin) )+\p{Lu}/u.test(after))
    return true;
  const isUnknown = nextName?.isCapital === true && canContinue(nextName) && !word.isWord && !nextName.isWord;
  if (isUnknown && (isAddressed || isSpeaking) && !isVenue(nextName)) return true;
  if (
    nextName?.isCapital &&
    nextName.isStrong &&
    (word.isName || !word.isWord) &&
    (word.isGiven || word.language === "de" || !AFTER_CAPITAL.test(before))
  )
    return true;
  // most German nouns are in no list
  const isUnknownName = !word.isWord && (word.isName || word.language !== "de");
  if (isPerson && (isFirstName || (isUnknownName && (!word.isUpper || word.plain.length > 4)))) return true;
  const isProperGiven = word.isGiven && (word.language === "fr" || word.language === "es");
  if (isIntroduced && closes && (isFirstName || isProperGiven || (isUnknownName && !word.isUpper))) return true;
  if (
    VOCATIVE.test(before) &&
    (isFirstName || word.isGiven || (isUnknownName && !word.isUpper)) &&
    ADDRESSED.test(after)
  )
    return true;
  if (SPEAKING.test(after) && (isFirstName || !word.isWord)) return true;
  if (
    isFirstName &&
    /^ (?:told|said|promised|mentioned|asked (?:me|if|for|to)|helped|called (?:me|back)|wants)\b/i.test(after)
  )
    return true;
  const goesOn = nextName?.isCapital === true && canContinue(nextName) && !isVenue(nextName);
  if (!goesOn) return false;
  if (
    word.isGiven &&
    (nextName.isPlace ? !word.isWord && nextName.isName : nextName.isName || !nextName.isWord) &&
    isPair(word, nextName, before)
  )
    return true;
  // words have no capitals within French and Spanish sentences
  const isProper = !nextName.isWord || (!nextName.isPlace && (word.language === "fr" || word.language === "es"));
  if (!word.isWord && nextName.isName && isProper && PREPOSITION.test(before) && !isNoun(word)) return true;
  return nextName.isName && !nextName.isPlace && ((isFirstName && !word.isFirst) || (isIntroduced && !word.isWord));
}

/** A word in lower case that is no name whatever stands around it. */
function isPlainWord({ isCapital, isNever, isPlace, isWord, plain }: DictionaryWord): boolean {
  return !isCapital && (isNever || isPlace || (isWord && !WORD_FIRST_NAMES.has(plain)));
}

/** Whether a first name and the capital name after it are a person: "Destiny Miller", but not "Rustic Cotton Soap". */
function isPair(word: DictionaryWord, next: DictionaryWord, before: string): boolean {
  const isSure = !word.isWord && next.isName && !next.isWord;
  if (VENUE_BEFORE.test(before) || AFTER_CAPITAL.test(before)) return false;
  if (isAfterArticle(before, word)) return isSure || (!word.isWord && word.language === "de");
  // words have no capitals within sentences, except in German
  if (word.language === "fr" || word.language === "es") return true;
  if (word.isFirst) return !next.isWord;
  const isName = !word.isWord || !next.isWord || (word.language === "en" && WORD_LAST_NAMES.has(next.plain));
  return isName || PREPOSITION.test(before);
}

/** A word with a capital within the sentence: "the Chicken Tikka Masala". */
const AFTER_CAPITAL = /[\p{Ll}\d,;] \p{Lu}[\p{L}'’]* $/u;
/** Words that follow a name in the name of a place: "Bella Italia" */
const NEVER_LAST = /^(?:itali(?:a|en|e)|carolina|dakota|espana|francia|europa|america)$/;
const VENUE_BEFORE =
  /(?<!\p{L})(?:restaurante?|hotel|hôtel|caf[eé]|bar|bistro|praxis|pizzeria|salon|store|shop|hostal|clinic|klinik|clinique|clínica)\s$/iu;

/** Words before a person or a thing. */
const PREPOSITION =
  /(?<!\p{L})(?:for|with|by|to|from|für|mit|von|an|bei|auf|pour|avec|de|à|par|para|con|por|a|is)\s$/iu;

/** Words and punctuation after a name that end its phrase. */
const CLOSING =
  /^(?:\s*(?:$|[.,!?])| (?:calling|speaking|here|from|and|again|with|at|on|in|about|und|et|y|am apparat|à l['’]appareil|al (?:habla|aparato)|von|vom|aus|de|du|der|hier|wegen)(?!\p{L}))/iu;
/** "a Marriott", "two Caesar salads" */
const ARTICLE =
  /(?<!\p{L})(?:the|one|two|three|four|five|any|some|each|every|no|pizzas?|der|die|das|des|dem|den|(?:k?ein|mein|unser|ihr)(?:e[nmrs]?)?|zum|zur|im|am|beim|vom|ins|le|la|les|une?|du|au|aux|mon|ma|el|los|las|del|al|unos?|unas?|mi|su|\d+)\s+$/iu;
const ENGLISH_ARTICLE = /(?<!\p{L})(?:an?)\s+$/iu;

function isAfterArticle(before: string, { language }: DictionaryWord): boolean {
  return ARTICLE.test(before) || (language !== "es" && language !== "fr" && ENGLISH_ARTICLE.test(before));
}
/** Text after the name of a person who is addressed; the name may continue. */
const ADDRESSED = /^(?:\s*(?:$|[.,!?])| (?:van|von|de|del|da|di|al|el|bin) )/;
const SPEAKING =
  /^,? (?:speaking|here|calling|am apparat|hier|mein name|à l['’]appareil|al (?:habla|aparato))(?!\p{L})/iu;

export function isBeside(text: string, left: DictionaryWord, right: DictionaryWord): boolean {
  return (
    /^(?:['’]s)?(?:[ \u00a0_-]|\. )$/.test(text.slice(left.end, right.start)) &&
    (text[left.end] !== "." || left.plain.length === 1)
  );
}

/** Whether a word ends the name of a place or a company, and is not a last name: "Hotel", but not "Park". */
export function isFirm(word: DictionaryWord): boolean {
  return VENUES.has(word.plain) && !WORD_LAST_NAMES.has(word.plain);
}

export function isVenue(word: DictionaryWord): boolean {
  return VENUES.has(word.plain);
}
