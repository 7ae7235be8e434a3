import { inCaseOf } from "../pseudonyms.ts";
import { isBeside, isCandidate, isFirm, isVenue } from "./candidates.ts";
import type { Finder, FoundData, Known, Tools } from "./found.ts";
import { PARTICLES, WORD_FIRST_NAMES } from "./lists.ts";
import { asksName, INTRODUCTION, NAME_CUE, PERSON_CUE, TITLE, VOCATIVE } from "./name_cues.ts";
import { canBegin, canContinue, type DictionaryWord, wordsIn } from "./words.ts";

/** "my name is van der" before "Berg" */
const LEADING_PARTICLES =
  /(?<=\s)(?:(?:van|von|der|den|de|del|della|di|da|dos|la|le|el|al|(?<!\bich )bin|ibn|abu) )+$/i;
/** Maximum number of words in a name. */
const LONGEST = 7;

/** Finds names of persons: by the words around them, by lists of names, and by what else the call says. */
export const findNames: Finder = (text, context, tools, known) => {
  if (!/\p{L}{2}/u.test(text)) return [];
  const words = wordsIn(text, context.language, tools);
  const byKey = namesByKey(words, text, context.key);
  if (byKey) return foundName(byKey, tools);
  const isLower = !/\p{Lu}/u.test(text);
  const found: FoundData[] = [];
  const start = answerStart(words, text, context.asked);
  let at = start === undefined ? 0 : start + takeName(words, start, text, isLower);
  if (start !== undefined) found.push(...foundName(words.slice(start, at), tools));
  const isOther = isOtherKey(context.key);
  while (at < words.length) {
    const count = isOther ? knownName(words, at, text, known) : nameAt(words, at, text, isLower, known);
    if (count > 0) found.push(...foundName(words.slice(at, at + count), tools));
    at += Math.max(1, count);
  }
  return found;
};

/** Number of words from a position on that are a name. */
function nameAt(words: readonly DictionaryWord[], at: number, text: string, isLower: boolean, known: Known): number {
  const word = words[at];
  if (!word || word.isMadeUp) return 0;
  const told = knownName(words, at, text, known);
  const next = words[at + 1];
  // what stands before an invented name was no name when that was invented
  if (next?.isMadeUp && isBeside(text, word, next)) return told;
  const before = text.slice(Math.max(0, word.start - 70), word.start).replace(LEADING_PARTICLES, "");
  // "my mother is", but "my name is elif"
  const isExpected = canBegin(word) && (word.isCapital || isLower || word.isName) && NAME_CUE.test(before);
  const length = isExpected ? takeName(words, at, text, isLower) : 0;
  if (isExpected && (word.isCapital || length > 1 || !word.isWord || endsHere(text, word)))
    return Math.max(told, length);
  const canBeTitled = word.isCapital
    ? (!word.isNever || word.isDate || isParticle(words, at)) && !isFirm(word)
    : canContinue(word);
  if (canBeTitled && (TITLE.test(before) || (word.language === "fr" && /(?<!\p{L})M\.\s$/u.test(before))))
    return Math.max(told, takeName(words, at, text, isLower));
  if (told > 0 && word.isStrong) return Math.max(told, takeName(words, at, text, isLower));
  if (!isCandidate(word, before, text, isLower, words[at + 1])) return told;
  const count = takeName(words, at, text, isLower);
  const isIntroduced = PERSON_CUE.test(before) || INTRODUCTION.test(before) || VOCATIVE.test(before);
  return isPlaceName(words, at, count, text, isIntroduced) ? told : Math.max(told, count);
}

/** "Le roux", "La Torre" */
function isParticle(words: readonly DictionaryWord[], at: number): boolean {
  const next = words[at + 1];
  return PARTICLES.has(words[at]?.plain ?? "") && next?.isName === true && !next.isNever;
}

/** Counts the words of a name that begins at a position. */
function takeName(words: readonly DictionaryWord[], at: number, text: string, isLower: boolean): number {
  let count = 1;
  while (count < LONGEST) {
    const last = words[at + count - 1];
    const next = words[at + count];
    if (!last || !next || !isBeside(text, last, next)) break;
    const goesOn =
      (canContinue(next) || (isLower && isUnknown(next))) &&
      (next.isCapital || isLower || (!next.isWord && next.isName && !last.isCapital));
    // "Jeanne d'Arc", "Samuel Da silva"
    const isJoined =
      last.isCapital &&
      (/^[dl]['’]\p{Lu}/u.test(next.text) || (PARTICLES.has(last.plain) && next.isName && !next.isNever));
    if (isJoined || (goesOn && !(next.isCapital && isFirm(next) && !next.isStrong))) count++;
    else {
      const joints = jointsAt(words, at + count, text, isLower);
      if (joints === 0) break;
      count += joints + 1;
    }
  }
  return count;
}

/** Whether no list has a word: a rare name, or a misspelled word. */
function isUnknown(word: DictionaryWord): boolean {
  return !word.isWord && !word.isNever && !word.isPlace && word.plain.length > 3;
}

/** Number of words between two words of a name: "de la", "van der", "J." */
function jointsAt(words: readonly DictionaryWord[], at: number, text: string, isLower: boolean): number {
  for (let count = 1; count <= 3; count++) {
    const joint = words[at + count - 1];
    const after = words[at + count];
    if (!joint || !after || !isBeside(text, joint, after)) return 0;
    const isInitial = joint.plain.length === 1 && joint.isCapital;
    if (!PARTICLES.has(joint.plain) && !isInitial) return 0;
    if (joint.plain === "y" && after.isPlace) return 0;
    if (canContinue(after) && (after.isCapital || (isLower && !isInitial))) return count;
    // "del Rio", but not "de Paris"
    if (after.isCapital && !after.isNever && !after.isMadeUp && !/^(?:de|von|da|d)$/.test(joint.plain)) return count;
  }
  return 0;
}

/** Number of words from a position on that are names known from elsewhere in the call. */
function knownName(words: readonly DictionaryWord[], at: number, text: string, { names }: Known): number {
  let count = 0;
  let certain = false;
  for (let index = at; index < words.length; index++) {
    const word = words[index];
    const last = words[index - 1];
    if (!word || (count > 0 && last && !isBeside(text, last, word))) break;
    const isKnown = word.plain.split("-").some((part) => names.has(part)) || names.has(word.plain);
    if (!isKnown) break;
    const isPlain = word.isWord || word.isPlace || word.isNever;
    const isNamed = word.isFirst ? endsHere(text, word) : !word.isPlace;
    const isCertain = word.isCapital
      ? (!word.isUpper || word.plain.length > 3) && (!isPlain || isNamed)
      : !isPlain && word.plain.length > 2;
    if (isCertain) certain = true;
    count++;
  }
  const title = TITLE.test(text.slice(Math.max(0, (words[at]?.start ?? 0) - 20), words[at]?.start ?? 0));
  return certain || title || count > 1 ? count : 0;
}

/** Whether the word after a name makes it a place or a company: "Kennedy Airport", "Johnson & Co". */
function isPlaceName(
  words: readonly DictionaryWord[],
  at: number,
  count: number,
  text: string,
  isIntroduced: boolean,
): boolean {
  const last = words[at + count - 1];
  const next = words[at + count];
  if (!last) return false;
  // "Wilson Park" is a place, "this is Elif Park" a person
  if (!isIntroduced && count > 1 && isVenue(last)) return true;
  if (/^ (?:&|and) (?:co|sons?|company|partners)\b/i.test(text.slice(last.end))) return true;
  return (
    next !== undefined &&
    /^ $/.test(text.slice(last.end, next.start)) &&
    isVenue(next) &&
    (next.isCapital || next.plain === "airport")
  );
}

function endsHere(text: string, word: DictionaryWord): boolean {
  return /^\s*(?:$|[.,!?;)])/.test(text.slice(word.end));
}

/** Words that come before a name in an answer. */
const FILLER =
  /^(?:yes|yeah|sure|hi|hello|okay|ok|um|uh|well|so|it|it's|its|is|that's|that|would|be|my|name|name's|the|of|course|i'm|i|am|this|under|for|first|last|and|oh|absolutely|certainly|no|problem|please|good|morning|afternoon|evening|hey|es|me|llamo|soy|thank|thanks|you|ich|bin|heisse|mein|ist|hier|ja|gerne|naturlich|guten|tag|je|suis|m'appelle|c'est|mon|nom|oui|bonjour|mi|nombre|si|claro|hola|buenos|dias)$/;

/** The position of the name in the answer to a question for it. */
function answerStart(words: readonly DictionaryWord[], text: string, asked: string): number | undefined {
  if (asked === "") return undefined;
  const at = words.findIndex(({ plain }) => !FILLER.test(plain));
  const word = words[at];
  if (!word || word.isMadeUp || words[at + 1]?.isMadeUp || at > 9 || !canBegin(word) || isVenue(word)) return undefined;
  const isAlone = endsHere(text, word) || (words[at + 1]?.isName ?? false);
  if (word.isPlace && words.length - at > 3) return undefined;
  const isLikely = word.isStrong || isAlone || (!word.isWord && words.length - at <= 4);
  return isLikely && asksName(asked) ? at : undefined;
}

/** A name of several words; each has its own pseudonym, so that "Maria" and "Ms. Lopez" stay "Maria Lopez". */
function foundName(words: readonly DictionaryWord[], { pool }: Tools): readonly FoundData[] {
  const isKept = (part: string) => PARTICLES.has(part) || pool.has(part);
  const made = (part: string, model: string) => {
    if (isKept(part)) return model;
    const name = pool.nameOf(part);
    return inCaseOf(part.length === 1 ? name.slice(0, 1) : name, model);
  };
  return words.map(({ start, end, text, plain }) => ({
    start,
    end,
    learn: ({ names }) => {
      for (const part of plain.split("-")) if (part.length > 1 && !isKept(part)) names.add(part);
    },
    replacement: () => {
      const models = text.split("-");
      return plain
        .split("-")
        .map((part, index) => made(part, models[index] ?? part))
        .join("-");
    },
  }));
}

const PERSON =
  "caller|customer|client|patient|passenger|guest|user|contact|member|holder|cardholder|person|employee|doctor|provider|physician|dentist|stylist|barber|therapist|driver|recipient|sender|attendee|owner|tenant|buyer|seller|lead|applicant|insured|policyholder|subscriber|student|parent|spouse|child|beneficiary|payer|payee|requester|visitor|traveler|traveller|rep|technician|host|relative|emergency contact|account holder|card holder|nominee|guardian|borrower|candidate|kunde|kundin|patientin|anrufer|versicherter?|ansprechpartner|fahrgast|gast|adherent|adhérent|assur[ée]e?|appelant|passager|cliente|paciente|contacto|pasajero|asegurado|titular|huesped|huésped|interlocutor|claimant|debtor|plaintiff|petitioner|decedent|resident|user";
const NAME_KEY = new RegExp(
  `^(?:(?:${PERSON}|billing|shipping|legal|preferred|display|their|his|her|my|full|first|last|middle|second|complete|given|family|maiden|nick|sur|short) )*(?:name|names|fullname|firstname|lastname|surname|nickname|forename|sur name|nombre|nombres|nombre completo|apellido|apellidos|primer apellido|segundo apellido|vorname|nachname|familienname|zuname|vollst[aä]ndiger name|nom|nom de famille|nom complet|pr[ée]nom)(?: \\d+)?$`,
);
const PERSON_KEY = new RegExp(`^(?:${PERSON})s?(?: \\d+)?$`);
const IN_PERSON = new RegExp(`\\b(?:${PERSON})s?\\b|\\bname\\b`);
const OTHER =
  /\b(?:city|town|state|country|province|region|product|plan|model|brand|airline|origin|destination|tool|function|type|status|voice|language|url|uri|event|category|agent|assistant|timezone|time zone|currency|seat|cabin|color|size|id|ids|node|kind|reason code|sentiment|server|domain|path|file|department|hotel|company|business|location|timestamp)$/;

/** Whether the value of a key is never a person's name: a town, a product, an id. */
function isOtherKey(key: string): boolean {
  return key !== "" && OTHER.test(lastOf(key));
}

/**
 * The words of a value whose key says that it is a person's name; `undefined` for other keys.
 */
function namesByKey(
  words: readonly DictionaryWord[],
  text: string,
  key: string,
): readonly DictionaryWord[] | undefined {
  const last = lastOf(key);
  if (
    last === "" ||
    words.length === 0 ||
    words.length > 8 ||
    words.some(({ isMadeUp }) => isMadeUp) ||
    /\d{2}|[@/{}]/.test(text)
  )
    return undefined;
  // a sentence is searched like any other text
  if (words.some(({ plain, isNever }) => isNever && !PARTICLES.has(plain) && !TITLES.test(plain))) return undefined;
  const isBare = last === "name" || last === "names" || last === "display name" || last === "nom";
  const above = key.split(" › ").slice(0, -1).join(" › ");
  const looksSo = words.some(({ isStrong }) => isStrong) || isFirstAndLast(words);
  const isWhole = words.every(({ isCapital, isNever }) => isCapital && !isNever);
  const isLikely =
    isWhole &&
    (words.length > 1
      ? words[0]?.isGiven === true || words.at(-1)?.isName === true || words.every(({ isWord }) => !isWord)
      : words[0]?.isName === true);
  const isName = NAME_KEY.test(last) && (!isBare || IN_PERSON.test(above) || looksSo);
  if (!isName && !(PERSON_KEY.test(last) && (looksSo || isLikely))) return undefined;
  return words.filter(({ plain }) => !PARTICLES.has(plain) && !TITLES.test(plain));
}

/** "Grace Park": words that are names too, the first of them a first name. */
function isFirstAndLast([first, second, ...others]: readonly DictionaryWord[]): boolean {
  return first !== undefined && second?.isName === true && others.length < 3 && WORD_FIRST_NAMES.has(first.plain);
}

const TITLES =
  /^(?:mr|mrs|ms|miss|mx|dr|doctor|prof|professor|sir|madam|sr|sra|jr|herr|herrn|frau|doktor|monsieur|madame|mme|mlle|senor|senora|don|dona|i|ii|iii|iv|v|unknown|none|null|n|a|na|not|provided|anonymous|guest|customer|caller|user)$/;

function lastOf(key: string): string {
  return key.split(" › ").at(-1) ?? "";
}
