import type { RecordedCall } from "../../../../platforms/mod.ts";
import { CallweaveError } from "../../../base/errors.ts";
import { checkOptions, OPTION, oneOf, rule, sameJson } from "../../../base/values/mod.ts";
import { CALL_LANGUAGES, type CallLanguage, loadDictionary } from "./dictionary.ts";
import {
  type Cue,
  createCues,
  createKnown,
  cueOfKey,
  FINDERS,
  type FieldContext,
  type FoundData,
  type Known,
  type Tools,
} from "./finders/mod.ts";
import { languageOfCountry, loadPhoneReader } from "./phones.ts";
import { createKeyed, createNamePool } from "./pseudonyms.ts";
import { mapCall, type Replacer, replaceValues } from "./walk.ts";

/** Options of {@link createPseudonymizer}. */
export interface PseudonymizerOptions {
  /**
   * Key of the pseudonyms: with the same key a person has the same pseudonym in every import. Default: the environment
   * variable `CALLWEAVE_REDACT_KEY`, else a random key, which is not kept.
   */
  readonly key?: string;
  /** Country of phone numbers without a country's code, such as `GB`. Default: countries of the call's language. */
  readonly country?: string;
  /**
   * Language of texts that are too short to show their own. Default: the language that a call states or that most of
   * its words have, else that of the country.
   */
  readonly language?: CallLanguage;
}

/** Replaces personal data by pseudonyms. Pseudonyms are left unchanged. */
export interface Pseudonymizer {
  /** Replaces the personal data of one text. */
  readonly text: (text: string) => string;
  /** Replaces the personal data in the texts, numbers and keys of a JSON value. Its keys tell what a value is. */
  readonly value: (value: unknown) => unknown;
  /**
   * Replaces the personal data of a call: data recognized in one of its texts, tools or variables is replaced in all of
   * them. Ids of the call and its nodes, names of tools and times stay.
   */
  readonly call: (call: RecordedCall) => RecordedCall;
}

/**
 * Loads the lists of names and words and the numbering plans of phone networks, and creates a pseudonymizer.
 *
 * A text is replaced until nothing changes, so that replacing it again changes nothing.
 *
 * A pseudonym depends only on the word or number and the key, so that it is the same in every call: "Maria Lopez",
 * "Ms. Lopez" and `maria.lopez@…` have the same two invented names. Phone numbers, cards, accounts, national
 * ids, IP addresses, dates of birth and streets become unassigned ones, in the form in which they were written.
 *
 * @throws {CallweaveError} `invalid-option`, or `missing-package` when a list cannot be read.
 * @example
 * ```ts
 * import { createPseudonymizer } from "callweave/calls";
 *
 * const { text } = await createPseudonymizer({ key: "a long random text" });
 * console.log(text("My name is Maria Lopez, call me at 415 555 0123"));
 * ```
 */
export async function createPseudonymizer(options: PseudonymizerOptions = {}): Promise<Pseudonymizer> {
  checkOptions(options, RULES, CallweaveError, "Cannot replace personal data");
  const keyed = createKeyed(options.key);
  const [dictionary, phones, { default: ips }] = await Promise.all([
    loadDictionary(),
    loadPhoneReader(options.country),
    import("ipaddr.js"),
  ]);
  const tools: Tools = { keyed, dictionary, phones, ips, pool: createNamePool(keyed, dictionary) };
  const known = (said: string, stated?: CallLanguage) =>
    createKnown(options.language ?? stated ?? dictionary.languageOf(said) ?? languageOfCountry(options.country));
  const value = (given: unknown) =>
    twice((change) => replaceValues(given, change, NOTHING), tools, known(saidIn(given)));
  return {
    text: (text) => untilUnchanged(text, (each) => String(value(each))),
    value: (given) => untilUnchanged(given, value),
    call: (call) =>
      untilUnchanged(call, (each) =>
        twice((change) => mapCall(each, change), tools, known(saidIn(each.transcript), languageOfCall(each))),
      ),
  };
}

/** Maximum number of times that something is searched; most change nothing the second time. */
const MOST_ROUNDS = 5;

/** Replaces until nothing changes: without the words that were replaced, others may look like names. */
function untilUnchanged<Value>(given: Value, redact: (value: Value) => Value): Value {
  let [before, after] = [given, redact(given)];
  for (let round = 1; round < MOST_ROUNDS && !sameJson(before, after); round++)
    [before, after] = [after, redact(after)];
  return after;
}

const RULES = {
  key: OPTION.text,
  country: rule("the code of a country, such as US", (value) => typeof value === "string" && /^[A-Z]{2}$/.test(value)),
  language: oneOf(...CALL_LANGUAGES),
};
const NOTHING = { key: "", asked: "" };
/** Number of characters that show the language of a call. */
const ENOUGH = 20_000;

/** The texts in a value, up to a length. */
function saidIn(value: unknown): string {
  const texts: string[] = [];
  let length = 0;
  const visit = (item: unknown): void => {
    if (length > ENOUGH) return;
    if (typeof item === "string") {
      texts.push(item);
      length += item.length;
    } else if (typeof item === "object" && item !== null) Object.values(item).forEach(visit);
  };
  visit(value);
  return texts.join(" ");
}

/** The language that a call states, in its variables or its platform's data: `de`, `de-DE`. */
function languageOfCall({ startVariables, variables, provenance: { facts } }: RecordedCall): CallLanguage | undefined {
  const stated = [variables.language, startVariables?.language, facts?.language].find(
    (each) => typeof each === "string",
  );
  return CALL_LANGUAGES.find(
    (language) => typeof stated === "string" && new RegExp(`^${language}\\b`, "i").test(stated),
  );
}

/** Reads everything first, then replaces, so that the first mention of a name is found because of a later one. */
function twice<Result>(map: (change: Replacer) => Result, tools: Tools, known: Known): Result {
  map((value, context, isKey) => {
    if (typeof value === "string" && !isKey) learnFrom(value, context, tools, known);
    if (typeof value === "number" && isNumberKey(context.key)) learnFrom(String(value), context, tools, known);
    return value;
  });
  return map((value, context, isKey) => {
    if (typeof value === "number") return changedNumber(value, context.key, tools, known);
    if (isKey) return /@|\d{7}|\s/.test(value) ? replaceIn(value, NOTHING, tools, known) : value;
    return replaceIn(value, context, tools, known);
  });
}

const NUMBER_CUES: readonly (Cue | undefined)[] = ["phone", "card", "account", "social", "id", "zip", "tail", "secret"];

/** Whether a number under a key can be personal: not a price, a time or a count. */
function isNumberKey(key: string): boolean {
  return (
    NUMBER_CUES.includes(cueOfKey(key)) &&
    !/amount|balance|price|cost|total|count|time|stamp| ms$|duration|limit/.test(key)
  );
}

/** A number stays a number, unless its pseudonym has more digits than a JSON number can hold. */
function changedNumber(value: number, key: string, tools: Tools, known: Known): number | string {
  const digits = String(value);
  if (!/^\d{3,19}$/.test(digits) || !(isNumberKey(key) || known.numbers.has(digits))) return value;
  const made = replaceIn(digits, { key, asked: "" }, tools, known);
  return made === digits || /^0/.test(made) || !Number.isSafeInteger(Number(made))
    ? made === digits
      ? value
      : made
    : Number(made);
}

/** Maximum length of a text that is searched as a whole; longer ones are searched in pieces that end at a line or a blank. */
const LONGEST = 20_000;

/** Records what a text reveals about persons. */
function learnFrom(text: string, context: FieldContext, tools: Tools, known: Known): void {
  for (const piece of piecesOf(text)) for (const { learn } of foundIn(piece, context, tools, known)) learn?.(known);
}

/** Replaces the personal data of a text. */
function replaceIn(text: string, context: FieldContext, tools: Tools, known: Known): string {
  return piecesOf(text)
    .map((piece) => {
      let written = "";
      let from = 0;
      for (const { start, end, replacement } of foundIn(piece, context, tools, known)) {
        written += piece.slice(from, start) + replacement(known);
        from = end;
      }
      return written + piece.slice(from);
    })
    .join("");
}

/** The matches of all finders, in the order of the text, without overlaps. */
function foundIn(text: string, context: FieldContext, tools: Tools, known: Known): readonly FoundData[] {
  const kept: FoundData[] = [];
  // marks characters, because comparing all matches takes seconds in a long text
  const covered = new Uint8Array(text.length);
  const language = tools.dictionary.languageOf(text) ?? known.language;
  const own = { ...context, language, cues: createCues(text, context.asked) };
  for (const find of FINDERS)
    for (const found of find(text, own, tools, known))
      if (!covered.subarray(found.start, found.end).includes(1)) {
        covered.fill(1, found.start, found.end);
        kept.push(found);
      }
  return kept.sort((a, b) => a.start - b.start);
}

function piecesOf(text: string): readonly string[] {
  if (text.length <= LONGEST) return [text];
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = from + LONGEST;
    const cut =
      end >= text.length ? text.length : Math.max(text.lastIndexOf("\n", end), text.lastIndexOf(" ", end)) + 1;
    const to = cut > from ? cut : end;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}
