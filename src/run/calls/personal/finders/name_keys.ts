import { PARTICLES, WORD_FIRST_NAMES } from "./lists.ts";
import type { DictionaryWord } from "./words.ts";

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
export function isOtherKey(key: string): boolean {
  return key !== "" && OTHER.test(lastOf(key));
}

/**
 * The words of a value whose key says that it is a person's name; `undefined` for other keys.
 */
export function namesByKey(
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
