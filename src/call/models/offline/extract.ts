import { DIGIT_WORDS, joinSpokenDigits } from "../../../base/values/mod.ts";
import type { HistoryLine } from "../signature.ts";
import type { ExtractInput } from "../signatures/mod.ts";
import { sharedStems, significantWords, stem, stems, withoutEndMarks } from "./words.ts";

/** A variable or an argument to fill. */
export type Wanted = ExtractInput["variables"][number];

/** A caller message, and the agent's message before it. */
interface Reply {
  readonly text: string;
  readonly question: string;
}

/** Extracts variables from the caller's messages; `null` for values that were not said. */
export function extractVariables({ variables, conversation_history: history }: ExtractInput): {
  readonly [name: string]: string | number | boolean | null;
} {
  return Object.fromEntries(variables.map((variable) => [variable.name, findValue(variable, history)]));
}

/** Returns the value of one variable. The latest message decides. */
export function findValue(wanted: Wanted, history: readonly HistoryLine[]): string | number | boolean | null {
  const about = `${wanted.name.replaceAll(/[_-]/g, " ")} ${wanted.description}`;
  const replies = repliesOf(history);
  if (wanted.choices.length > 0) return findChoice(wanted, replies);
  if (wanted.type === "boolean") return findBoolean(about, replies);
  const [asked, other] = byRelevance(about, replies);
  if (wanted.type === "number") return firstOf([...asked, ...other], ({ text }) => findNumber(text));
  const kind = askedKind(wanted.description) ?? askedKind(wanted.name);
  if (kind) {
    const named = firstOf(
      asked,
      ({ text }) => findEntity(text, kind) ?? (kind === "name" ? nameInReply(text) : undefined),
    );
    return named ?? firstOf(other, ({ text }) => findEntity(text, kind));
  }
  if (
    /\b(?:reason|problem|issue|message|summary|request|question|complaint|details?|purpose|why|what)\b/i.test(about)
  ) {
    return firstOf([...asked, ...other], ({ text }) => (significantWords(text).length > 1 ? text : undefined));
  }
  return firstOf(asked, ({ text }) => (moodOf(text).lost ? undefined : withoutLeadIn(text)));
}

/** Returns the caller's messages, last first, each with the agent's message before it. */
function repliesOf(history: readonly HistoryLine[]): readonly Reply[] {
  const replies: Reply[] = [];
  let question = "";
  for (const { role, content } of history) {
    if (role === "assistant") question = content;
    if (role === "user") replies.unshift({ text: content, question });
  }
  return replies;
}

/** Splits replies into those that are about the value (by the question or their own words) and all others. */
function byRelevance(about: string, replies: readonly Reply[]): readonly [readonly Reply[], readonly Reply[]] {
  const wanted = stems(about);
  const isAbout = ({ text, question }: Reply) => sharedStems(wanted, stems(`${question} ${text}`)).length > 0;
  return [replies.filter(isAbout), replies.filter((reply) => !isAbout(reply))];
}

function firstOf<Value>(replies: readonly Reply[], read: (reply: Reply) => Value | undefined): Value | null {
  for (const reply of replies) {
    const value = read(reply);
    if (value !== undefined) return value;
  }
  return null;
}

function findChoice({ choices, description }: Wanted, replies: readonly Reply[]): string | null {
  const named = choices.map((choice) => ({
    choice,
    own: choiceWords(choice),
    told: toldAbout(choice, choices, description),
  }));
  const found = firstOf(replies, ({ text, question }) => {
    const mood = moodOf(text);
    const said = significantWords(text);
    const direct = bestChoice(
      named,
      said.map((word) => word.stem),
    );
    if (direct) return direct;
    if (!mood.yes) return undefined;
    return bestChoice(
      named,
      significantWords(question).map((word) => word.stem),
    );
  });
  if (found !== null) return found;
  const yesNo = firstOf(replies, ({ text }) => {
    const mood = moodOf(text);
    return mood.yes
      ? choices.find((c) => /^(?:yes|true)$/i.test(c))
      : mood.no
        ? choices.find((c) => /^(?:no|false)$/i.test(c))
        : undefined;
  });
  if (yesNo !== null) return yesNo;
  const rest = choices.find((choice) => /^(?:others?|something[ _-]else|anything[ _-]else|misc)$/i.test(choice));
  return rest && replies.some(({ text }) => significantWords(text).length > 1) ? rest : null;
}

interface NamedChoice {
  readonly choice: string;
  readonly own: ReadonlySet<string>;
  readonly told: ReadonlySet<string>;
}

/**
 * Returns the choice with the most matching words. Its own words count before those of the description; the first
 * choice wins a tie.
 */
function bestChoice(choices: readonly NamedChoice[], said: readonly string[]): string | undefined {
  let best: { choice: string; score: number; first: number } | undefined;
  for (const { choice, own, told } of choices) {
    const saidSet = new Set(said);
    const ownShared = sharedStems(own, saidSet);
    const toldShared = sharedStems(told, saidSet);
    const score = (own.size > 0 ? ownShared.length / own.size : 0) * 2 + toldShared.length;
    const first = said.findIndex((word) => sharedStems(new Set([...own, ...told]), new Set([word])).length > 0);
    if (score > 0 && (!best || score > best.score || (score === best.score && first < best.first)))
      best = { choice, score, first };
  }
  return best?.choice;
}

/** Returns a choice's words, including common ones such as `call`, which matter in a list of choices. */
function choiceWords(choice: string): ReadonlySet<string> {
  const text = choice.replaceAll(/[_-]/g, " ").replaceAll(/([a-z])([A-Z])/g, "$1 $2");
  const significant = stems(text);
  return significant.size > 0 ? significant : new Set([stem(text.toLowerCase().trim())]);
}

/** Returns the words with which the description explains one choice: "refund: money back; order: where a parcel is". */
function toldAbout(choice: string, choices: readonly string[], description: string): ReadonlySet<string> {
  const names = (part: string, name: string) =>
    part.toLowerCase().replaceAll(/[_-]/g, " ").includes(name.toLowerCase().replaceAll(/[_-]/g, " "));
  const part = description
    .split(/[;.\n]|,(?=[^,]*(?::|\bfor\b|\bif\b|\bmeans\b))/)
    .find((piece) => choices.filter((name) => names(piece, name)).length === 1 && names(piece, choice));
  return part ? stems(part) : new Set();
}

function findBoolean(about: string, replies: readonly Reply[]): boolean | null {
  const wanted = stems(about);
  return firstOf(replies, ({ text, question }) => {
    const mood = moodOf(text);
    const asked = sharedStems(wanted, stems(question)).length > 0 && question.includes("?");
    if (asked && (mood.yes || mood.no)) return mood.yes && !mood.no;
    const said = stems(text);
    if (sharedStems(wanted, said).length > 0) return true;
    const denied = new Set([...said].filter((word) => word.startsWith("!")).map((word) => word.slice(1)));
    return sharedStems(wanted, denied).length > 0 ? false : undefined;
  });
}

function withoutLeadIn(text: string): string | undefined {
  const bare = withoutEndMarks(
    text
      .trim()
      .replace(
        /^(?:(?:oh|well|um|yes|yeah|sure|okay|ok)[,.!\s]+)*(?:(?:it['’]s|it is|that['’]s|that is|my \p{L}+ is|i['’]d like|i would like|i want|i['’]m|i am|for)\s+)?/iu,
        "",
      ),
  );
  return bare || undefined;
}

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
function findNumber(text: string): number | undefined {
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

const YES_WORDS =
  /^(?:(?:oh|well|um|ok|okay|great|thanks?)[,.!\s]+)*(?:yes|yeah|yep|yup|sure|correct|exactly|right|absolutely|definitely|of course|certainly|please do|that['’]s (?:right|correct|fine)|that is (?:right|correct|fine)|sounds good|go ahead|ok(?:ay)?|all right|alright|i do(?! not)|i am(?! not)|i (?:can |do |hereby )?(?:confirm|agree|accept|approve|consent)|confirmed|agreed|accepted|(?:that |it )?works for me|that works|perfect)\b/i;
const NO =
  /^(?:(?:oh|well|um|ok|okay|thanks?)[,.!\s]+)*(?:no|nope|nah|not really|not at all|negative|never|i don['’]t|i do not|i['’]m not|that['’]s (?:wrong|not)|incorrect)\b/i;
const DONE =
  /\b(?:good ?bye|bye|that(?:['’]s| is| was| will be) (?:all|it|everything)|nothing (?:else|more)|no(?:thing)?,? thank(?:s| you)|i['’]?a?m (?:done|finished)|all set|have a (?:good|nice))\b/i;
const LOST =
  /^(?:(?:sorry|pardon|excuse me|what|huh|hm+)\s*[?.!]*$|.*\b(?:repeat|say that again|hold on|one (?:moment|second)|wait a|did(?:n['’]t| not) (?:catch|understand|hear)|don['’]t (?:know|understand|remember|have)|do not (?:know|understand|remember|have)|not sure)\b)/i;

/** The mood of a reply. */
export interface Mood {
  readonly yes: boolean;
  readonly no: boolean;
  /** The caller has nothing more to say, or says goodbye. */
  readonly done: boolean;
  /** The caller did not follow, needs a moment or does not know. */
  readonly lost: boolean;
}

/** Detects the mood of a reply from its words. */
export function moodOf(reply: string): Mood {
  const text = reply.trim();
  return { yes: YES_WORDS.test(text), no: NO.test(text), done: DONE.test(text), lost: LOST.test(text) };
}
