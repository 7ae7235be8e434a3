import { VENUES, WORD_FIRST_NAMES, WORD_LAST_NAMES } from "./lists.ts";
import { INTRODUCTION, PERSON_CUE, VOCATIVE } from "./name_cues.ts";
import { canContinue, type Word } from "./words.ts";

/** Whether a word can be a name by itself, or because of the words before it. */
export function isCandidate(
  word: Word,
  before: string,
  text: string,
  isLower: boolean,
  next: Word | undefined,
): boolean {
  if (word.isMadeUp) return true;
  const isPerson = PERSON_CUE.test(before);
  const isIntroduced = isPerson || INTRODUCTION.test(before);
  const after = text.slice(word.end, word.end + 20);
  // what stands before an invented name was no name when that was invented
  const nextName = next && !next.isMadeUp && isBeside(text, word, next) ? next : undefined;
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
  if (word.isStrong) return isIntroduced || !ARTICLE.test(before) || nextName?.isStrong === true;
  // "London Hauck", but not "Boston Globe"
  const isAddressed = isIntroduced || VOCATIVE.test(before);
  const isFull = word.isGiven && nextName?.isCapital === true && canContinue(nextName);
  if (word.isPlace) return isFull && !isVenue(nextName) && (isAddressed || nextName.isStrong || !nextName.isWord);
  if (isFull && (isAddressed || SPEAKING.test(text.slice(nextName.end, nextName.end + 20))) && !isVenue(nextName))
    return true;
  if (word.isNever || isVenue(word)) return false;
  if (
    isIntroduced &&
    nextName?.isCapital &&
    canContinue(nextName) &&
    !word.isWord &&
    !nextName.isWord &&
    !isVenue(nextName)
  )
    return true;
  if (nextName?.isCapital && nextName.isStrong && (word.isName || !word.isWord)) return true;
  if (isPerson && (isFirstName || (!word.isWord && (!word.isUpper || word.plain.length > 4)))) return true;
  if (isIntroduced && closes && (isFirstName || (!word.isWord && !word.isUpper))) return true;
  if (
    VOCATIVE.test(before) &&
    (isFirstName || word.isGiven || (!word.isWord && !word.isUpper)) &&
    ADDRESSED.test(after)
  )
    return true;
  if (SPEAKING.test(after) && (isFirstName || !word.isWord)) return true;
  if (
    isFirstName &&
    /^ (?:told|said|promised|mentioned|asked (?:me|if|for|to)|helped|called (?:me|back)|wants)\b/i.test(after)
  )
    return true;
  const goesOn = nextName?.isCapital === true && canContinue(nextName) && nextName.isName && !isVenue(nextName);
  if (goesOn && word.isGiven && isPair(word, nextName, before)) return true;
  return goesOn && !nextName.isPlace && ((isFirstName && !word.isFirst) || (isIntroduced && !word.isWord));
}

/** Whether a first name and the capital name after it are a person: "Destiny Miller", but not "Rustic Cotton Soap". */
function isPair(word: Word, next: Word, before: string): boolean {
  if (ARTICLE.test(before) || /\p{Lu}[\p{L}'’]* $/u.test(before)) return false;
  const isName = !word.isWord || !next.isWord || (word.language === "en" && WORD_LAST_NAMES.has(next.plain));
  return word.isFirst ? next.isStrong : isName || PREPOSITION.test(before);
}

/** Words before a person or a thing. */
const PREPOSITION =
  /(?<!\p{L})(?:for|with|by|to|from|für|mit|von|an|bei|auf|pour|avec|de|à|par|para|con|por|a|is)\s$/iu;

/** Words and punctuation after a name that end its phrase. */
const CLOSING =
  /^(?:\s*(?:$|[.,!?])| (?:calling|speaking|here|from|and|again|with|at|on|in|about|und|et|y|am apparat|à l['’]appareil|al (?:habla|aparato)|von|vom|aus|de|du|der|hier|wegen)(?!\p{L}))/iu;
/** "a Marriott", "two Caesar salads" */
const ARTICLE =
  /\b(?:an?|the|der|die|das|des|dem|den|eine?[nmrs]?|zum|zur|im|am|beim|vom|ins|le|la|les|une?|du|au|aux|el|los|las|del|al|unos?|unas?|one|two|three|four|five|any|some|each|every|no|\d+)\s+$/i;
/** What can follow the name of a person who is addressed; the name may continue. */
const ADDRESSED = /^(?:\s*(?:$|[.,!?])| (?:van|von|de|del|da|di|al|el|bin) )/;
const SPEAKING =
  /^,? (?:speaking|here|calling|am apparat|hier|mein name|à l['’]appareil|al (?:habla|aparato))(?!\p{L})/iu;

export function isBeside(text: string, left: Word, right: Word): boolean {
  return (
    /^(?:['’]s)?(?:[ \u00a0_-]|\. )$/.test(text.slice(left.end, right.start)) &&
    (text[left.end] !== "." || left.plain.length === 1)
  );
}

/** Whether a word ends the name of a place or a company, and is not a last name: "Hotel", but not "Park". */
export function isFirm(word: Word): boolean {
  return VENUES.has(word.plain) && !WORD_LAST_NAMES.has(word.plain);
}

export function isVenue(word: Word): boolean {
  return VENUES.has(word.plain);
}
