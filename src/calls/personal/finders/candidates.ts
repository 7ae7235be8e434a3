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
  const after = text.slice(word.end, word.end + 14);
  const nextName = next && isBeside(text, word, next) ? next : undefined;
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
  if (word.isNever || word.isPlace || isVenue(word)) return false;
  if (nextName?.isCapital && nextName.isStrong && (word.isName || !word.isWord)) return true;
  if (isPerson && (isFirstName || (!word.isWord && (!word.isUpper || word.plain.length > 4)))) return true;
  if (isIntroduced && closes && (isFirstName || (!word.isWord && !word.isUpper))) return true;
  if (VOCATIVE.test(before) && (isFirstName || (!word.isWord && !word.isUpper)) && ADDRESSED.test(after)) return true;
  if (SPEAKING.test(after) && (isFirstName || !word.isWord)) return true;
  if (
    isFirstName &&
    /^ (?:told|said|promised|mentioned|asked (?:me|if|for|to)|helped|called (?:me|back)|wants)\b/i.test(after)
  )
    return true;
  const goesOn = nextName?.isCapital === true && canContinue(nextName) && nextName.isName && !isVenue(nextName);
  return goesOn && !nextName.isPlace && ((isFirstName && !word.isFirst) || (isIntroduced && !word.isWord));
}

/** Words and punctuation after a name that end its phrase. */
const CLOSING = /^(?:\s*(?:$|[.,!?])| (?:calling|speaking|here|from|and|again|with|at|on|in|about)\b)/i;
/** "a Marriott", "two Caesar salads" */
const ARTICLE = /\b(?:an?|the|one|two|three|four|five|any|some|each|every|no|\d+)\s+$/i;
/** What can follow the name of a person who is addressed; the name may continue. */
const ADDRESSED = /^(?:\s*(?:$|[.,!?])| (?:van|von|de|del|da|di|al|el|bin) )/;
const SPEAKING = /^,? (?:speaking|here|calling)\b/i;

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
