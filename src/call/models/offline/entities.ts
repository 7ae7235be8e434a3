import { DIGIT_WORDS, joinSpokenDigits } from "../../../base/values/mod.ts";

/** Kinds of values that are recognized by their form. */
export type EntityKind = "name" | "email" | "phone" | "date" | "time" | "identifier" | "number" | "address";

const SMALL_NUMBERS = new Map<string, number>([
  ...DIGIT_WORDS.map((word, value) => [word, value] as const),
  ...["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"].map(
    (word, index) => [word, index + 10] as const,
  ),
]);
const TENS = new Map<string, number>(
  ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"].map((word, i) => [word, (i + 2) * 10]),
);

const WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
const MONTH = "(?:january|february|march|april|may|june|july|august|september|october|november|december)";
const FORMS: { readonly [Kind in Exclude<EntityKind, "name" | "number">]: RegExp } = {
  // each pattern starts at a word boundary or has a length limit, so that matching takes linear time
  email: /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/,
  phone: /\+?\d[\d\s().-]{5,40}\d/,
  date: new RegExp(
    `\\d{4}-\\d{2}-\\d{2}|\\d{1,2}[./]\\d{1,2}(?:[./]\\d{2,4})?|${MONTH}\\s+\\d{1,2}(?:st|nd|rd|th)?(?:,?\\s+\\d{4})?|\\d{1,2}(?:st|nd|rd|th)?\\s+(?:of\\s+)?${MONTH}|(?:(?:next|this)\\s+)?${WEEKDAY}|(?:the\\s+day\\s+after\\s+)?tomorrow|today|tonight|next\\s+(?:week|month)`,
    "i",
  ),
  time: /\b(?:[01]?\d|2[0-3]):[0-5]\d(?:\s*[ap]\.?m\b\.?)?|\b\d{1,2}\s*(?:[ap]\.?m\b\.?|o['’]clock)|\b(?:noon|midnight|in the (?:morning|afternoon|evening))\b/i,
  identifier: /\b(?=[\p{L}\d-]{0,60}\d)[\p{L}\d]+(?:-[\p{L}\d]+)*\b/u,
  address: /\b\d+[a-z]?\s+(?:\p{Lu}[\p{L}.'-]*\s*)+|\b\p{Lu}[\p{L}-]{0,60}(?:stra(?:ß|ss)e|weg|platz)\s+\d+\w?/u,
};

/** The first value of a kind in a text, verbatim; numbers in digits. */
export function findEntity(text: string, kind: EntityKind): string | undefined {
  if (kind === "number") {
    const found = findNumber(text);
    return found === undefined ? undefined : String(found);
  }
  if (kind === "name") return findName(text);
  const source = kind === "identifier" || kind === "phone" ? joinSpokenDigits(text) : text;
  return FORMS[kind].exec(source)?.[0].trim();
}

/** Returns the first number of a text, in digits or in words up to 999. */
export function findNumber(text: string): number | undefined {
  let spoken: number | undefined;
  for (const [word] of text.toLowerCase().matchAll(/(?<![\p{L}\d])-?\d+(?:,\d{3})*(?:\.\d+)?|\p{L}+/gu)) {
    const digits = /\d/.test(word) ? Number(word.replaceAll(",", "")) : undefined;
    const value = digits ?? TENS.get(word) ?? SMALL_NUMBERS.get(word);
    if (word === "hundred") spoken = (spoken ?? 1) * 100;
    else if (value !== undefined) {
      if (digits !== undefined && spoken === undefined) return digits;
      spoken = (spoken ?? 0) + value;
    } else if (spoken !== undefined && word !== "and") return spoken;
  }
  return spoken;
}

const INTRODUCTION = /\b(?:my name is|my name['’]s|name is|this is|i am|i['’]m|it['’]s|it is|call me|name:)\s+/i;
const NAME = /^\p{Lu}[\p{L}'’-]*(?:\s+(?:(?:van|von|de|der|la|bin)\s+)*\p{Lu}[\p{L}'’-]*){0,3}/u;

/** Returns the capitalised name after an introduction such as "my name is". */
function findName(text: string): string | undefined {
  let rest = text;
  for (let match = INTRODUCTION.exec(rest); match; match = INTRODUCTION.exec(rest)) {
    rest = rest.slice(match.index + match[0].length);
    const name = NAME.exec(rest)?.[0];
    if (name) return name;
  }
  return undefined;
}

/**
 * Returns the name at the start of a reply to "What is your name?": the whole reply, or several words before a comma.
 */
export function nameInReply(text: string): string | undefined {
  const reply = text.trim().replace(/^(?:yes|sure|of course|okay|ok),\s*/i, "");
  const name = NAME.exec(reply)?.[0];
  if (!name || /^(?:yes|no|hello|hi|okay|ok|sure|thanks|sorry|what|i|the|my)\b/i.test(name)) return undefined;
  const rest = reply.slice(name.length);
  return /^[.!]*$/.test(rest) || (name.includes(" ") && /^[,.]/.test(rest)) ? name : undefined;
}

const KIND_WORDS: readonly (readonly [EntityKind, RegExp])[] = [
  ["email", /\be-?mails?\b/i],
  ["phone", /\b(?:phone|telephone|mobile|callback) ?(?:number)?\b/i],
  ["address", /\baddress\b/i],
  ["identifier", /\b(?:ids?|identifier|codes?|numbers?|reference|pin)\b/i],
  ["name", /\bnames?\b/i],
  ["time", /\b(?:time|hour|o'clock)\b/i],
  ["date", /\b(?:dates?|days?|when|birthday)\b/i],
  ["number", /\b(?:how many|amount|count|quantity|age|size|how old|number of)\b/i],
];

/** Returns the kind of value that a description asks for. The last matching word decides ("name of the day"). */
export function askedKind(description: string): EntityKind | undefined {
  const text = description.replaceAll(/[_-]/g, " ").replaceAll(/([a-z])([A-Z])/g, "$1 $2");
  if (/\b(?:number of (?!the|this|that|an?\b|your|their)|how many|amount)/i.test(text)) return "number";
  return KIND_WORDS.find(([, words]) => words.test(text))?.[0];
}
