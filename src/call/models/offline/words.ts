import { DIGIT_WORDS, joinSpokenDigits } from "../../../base/values/mod.ts";
import type { EntityKind, Mood, StemmedWord, Tongue } from "./tongue.ts";

/** Words without meaning for matching: grammar, politeness, and names for the two speakers. */
const STOP_WORDS = new Set(
  `a an the this that these those some any all each every both either neither other another such own same
  and or but nor so if then than because as until while of at by for with about against between into through during
  before after above below to from up down in out on off over under again further once here there when where why how
  what which who whom whose i me my mine myself we us our ours you your yours he him his she her hers it its they them
  their theirs am is are was were be been being have has had having do does did doing done will would shall should can
  could may might must ought let get gets got getting just only very too also still even please thanks thank ok okay
  well oh um uh hi hello hey yes no not yeah yep nope sure right really much many more most
  caller callers user users customer customers client person's agent agents assistant bot call calls called calling
  want wants wanted need needs needed like likes liked wish wishes say says said saying tell tells told telling ask asks
  asked asking give gives gave given giving provide provides provided providing mention mentions mentioned state states
  stated indicate indicates indicated express expresses expressed request requests requested share shares shared respond
  responds responded reply replies replied answer answers answered know knows known offer offers offered explain explains explained speak speaks speaking talk talks
  talking something someone anything anyone thing things way try tries tried trying make makes made go goes going gone
  i'm i've i'd i'll it's that's there's what's where's who's you're you've you'd they're we're he's she's let's`
    .split(/\s+/)
    .filter(Boolean),
);

const NEGATIONS = /^(?:not|never|no|without|nothing|none|cannot|\p{L}+n['’]t)$/u;
/** Number of words that a negation applies to: "I do not have my order number". */
const NEGATION_REACH = 4;

/** Returns the significant words of a text, in order. */
export function significantWords(text: string): readonly StemmedWord[] {
  const words: StemmedWord[] = [];
  let negated = 0;
  for (const match of text.toLowerCase().matchAll(/[\p{L}\p{N}]+(?:['’]\p{L}+)*|[.,;:!?]|\bbut\b/gu)) {
    const word = match[0].replaceAll("’", "'");
    if (/^[.,;:!?]$/.test(word) || word === "but") negated = 0;
    else if (NEGATIONS.test(word)) negated = NEGATION_REACH;
    else {
      if (!STOP_WORDS.has(word)) words.push({ stem: `${negated > 0 ? "!" : ""}${stem(word)}`, at: match.index });
      if (negated > 0) negated--;
    }
  }
  return words;
}

/** Removes the most common English endings: `cancelled`, `cancelling` and `cancellation` become `cancel`. */
export function stem(word: string): string {
  const bare = word.replace(/'s?$/, "");
  if (bare.length < 4) return bare;
  const cut = bare
    .replace(/ies$/, "y")
    .replace(/(?:ations?|ments?|ings?|ed|es|s|ly)$/, (ending, at: number) => (at >= 3 ? "" : ending));
  const undoubled = cut.replace(/([bdfglmnprtz])\1$/, "$1");
  return undoubled.length > 3 ? undoubled.replace(/e$/, "") : undoubled;
}

/**
 * Words that callers use interchangeably on the phone. Kept small on purpose: the offline model handles plain cases
 * only.
 */
export const SYNONYMS: readonly (readonly string[])[] = [
  ["manager", "supervisor", "boss"],
  ["human", "person", "representative", "operator", "someone", "people"],
  ["book", "schedule", "reserve", "reservation"],
  ["reschedule", "move", "postpone", "rebook"],
  ["cancel", "cancellation"],
  ["return", "refund", "reimburse"],
  ["broken", "damaged", "defective", "faulty", "cracked"],
  ["package", "parcel", "delivery", "shipment"],
  ["arrive", "arrival", "come"],
  ["bill", "invoice", "billing", "charge"],
  ["pay", "payment"],
  ["buy", "purchase"],
  ["price", "cost", "fee"],
  ["problem", "issue", "trouble"],
  ["repair", "fix"],
  ["change", "update", "edit", "modify"],
  ["continue", "resume", "proceed", "ready"],
  ["bye", "goodbye"],
  ["finish", "finished", "end"],
  ["emergency", "urgent"],
  ["phone", "telephone", "mobile"],
  ["mail", "email"],
  ["doctor", "physician"],
  ["order", "purchase"],
];

const GROUPS = SYNONYMS.map((group) => new Set(group.map(stem)));

/** Whether two stems have the same meaning: equal or synonyms, and both or neither negated. */
export function sameMeaning(a: string, b: string): boolean {
  if (a === b) return true;
  if (a.startsWith("!") !== b.startsWith("!")) return false;
  const [left, right] = [a.replace("!", ""), b.replace("!", "")];
  return GROUPS.some((group) => group.has(left) && group.has(right));
}

/** The texts of an input, split into what was said in the call and what was written before it. */
export interface InputTexts {
  readonly said: readonly string[];
  readonly written: readonly string[];
}

const SAID = new Set(["content", "user_message", "last_agent_message", "reply", "heard"]);

/** Collects the texts of an input. */
export function textsIn(input: unknown): InputTexts {
  const [said, written]: [string[], string[]] = [[], []];
  const visit = (value: unknown, key: string): void => {
    if (typeof value === "string") {
      if (SAID.has(key)) said.push(value);
      // a name or an id has no language
      else if (/\s|\p{Lo}/u.test(value)) written.push(value);
    }
    if (typeof value === "object" && value !== null)
      for (const [name, item] of Object.entries(value)) visit(item, Array.isArray(value) ? key : name);
  };
  visit(input, "");
  return { said, written };
}

/** Letters of other languages, apart from those in names that English texts have too. */
const OTHER_LETTERS = /[^\p{Script=Latin}\P{L}]|[¿¡]/u;
/** Share of words that English texts have of the frequent ones, which texts of other languages have not. */
const ENGLISH_SHARE = 0.3;

/**
 * Whether texts are plainly English, so that no other language is looked for: each group of them, as a whole. Texts of
 * other languages never are; a short English text may not be.
 */
export function isPlainEnglish({ said, written }: InputTexts): boolean {
  return [said, written].every((texts) => {
    const words =
      texts
        .join(" ")
        .toLowerCase()
        .match(/\p{L}+(?:['’]\p{L}+)?/gu) ?? [];
    const known = words.filter((word) => STOP_WORDS.has(word)).length;
    return !texts.some((text) => OTHER_LETTERS.test(text)) && known >= words.length * ENGLISH_SHARE;
  });
}

/** Returns the distinct stems of a text's significant words. */
export function stems(text: string, tongue: Pick<Tongue, "significantWords">): ReadonlySet<string> {
  return new Set(tongue.significantWords(text).map((word) => word.stem));
}

/** Returns the stems of the first set whose meaning is in the second set. */
export function sharedStems(
  wanted: ReadonlySet<string>,
  said: ReadonlySet<string>,
  tongue: Pick<Tongue, "sameMeaning">,
): readonly string[] {
  return [...wanted].filter((word) => said.has(word) || [...said].some((other) => tongue.sameMeaning(word, other)));
}

/** Maximum length of a quotation within a sentence, in characters. Limits the search for a closing quote. */
const QUOTATION = 400;
const SENTENCE = new RegExp(
  `(?:[^.!?。！？؟।"“”「」]|["“][^"”]{0,${QUOTATION}}["”]|「[^」]{0,${QUOTATION}}」|[.!?](?=[\\p{L}\\p{N}]))+[.!?。！？؟।]*["”」]?`,
  "gu",
);

/** Returns the questions of a text in order, each with its question mark. */
export function questionsIn(text: string): readonly string[] {
  return [...text.matchAll(/[^.!?。！？؟।]+([?？؟]?)/g)].flatMap(([question, mark]) => (mark ? [question] : []));
}

/** Removes punctuation at the end of a text, in linear time. */
export function withoutEndMarks(text: string, marks = ".!。！।"): string {
  let end = text.length;
  while (end > 0 && marks.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Splits a text into sentences, without Markdown list markers and headings. */
export function sentences(text: string): readonly string[] {
  return text
    .split(/\n+/)
    .map((line) => line.replace(/^\s*(?:#+.*|[-*•]\s+|\d+[.)]\s+)/, "").replaceAll(/[*_`]{2,}|`/g, ""))
    .flatMap((line) => line.match(SENTENCE) ?? [])
    .map((sentence) => sentence.trim())
    .filter(Boolean);
}

/** Removes what comes before the value in an answer: "It's …", "I'd like …". */
export function withoutLeadIn(text: string): string | undefined {
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
const ORDINAL =
  "(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth|(?:twenty|thirty)[ -](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth))";
const HOUR = "(?:\\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)";
const FORMS: { readonly [Kind in Exclude<EntityKind, "name" | "number">]: RegExp } = {
  // each pattern starts at a word boundary or has a length limit, so that matching takes linear time
  email: /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/,
  phone: /\+?\d[\d\s().-]{5,40}\d/,
  date: new RegExp(
    `\\d{4}-\\d{2}-\\d{2}|\\d{1,2}[./]\\d{1,2}(?:[./]\\d{2,4})?|${MONTH}\\s+\\d{1,2}(?:st|nd|rd|th)?(?:,?\\s+\\d{4})?|(?:\\d{1,2}(?:st|nd|rd|th)?|${ORDINAL})\\s+(?:of\\s+)?${MONTH}|(?:(?:next|this)\\s+)?${WEEKDAY}|(?:the\\s+day\\s+after\\s+)?tomorrow|today|tonight|next\\s+(?:week|month)`,
    "i",
  ),
  time: new RegExp(
    `\\b(?:[01]?\\d|2[0-3]):[0-5]\\d(?:\\s*[ap]\\.?m\\b\\.?)?|\\b(?:quarter|half) (?:past|to) ${HOUR}\\b|\\b${HOUR}\\s*(?:[ap]\\.?m\\b\\.?|o['’]clock)|\\b(?:noon|midnight|in the (?:morning|afternoon|evening))\\b`,
    "i",
  ),
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
  if (kind === "email") return FORMS.email.exec(text)?.[0] ?? spokenEmail(text, "dot", "at");
  const source = kind === "identifier" || kind === "phone" ? joinSpokenDigits(text) : text;
  return FORMS[kind].exec(source)?.[0].trim();
}

/** An address whose signs are said as words: "anna dot smith at example dot com". */
export function spokenEmail(text: string, dot: string, at: string): string | undefined {
  const name = "[a-z\\d_+-]{1,64}";
  const form = new RegExp(
    `(?<![\\w.@])${name}(?: (?:${dot}) ${name})* (?:${at}) ${name}(?: (?:${dot}) ${name})+(?!\\w)`,
    "i",
  );
  const said = form.exec(text)?.[0];
  const sign = (words: string) => new RegExp(` (?:${words}) `, "gi");
  return said?.replace(sign(at), "@").replaceAll(sign(dot), ".").toLowerCase();
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

const INTRODUCTION =
  /\b(?:my name is|my name['’]s|name is|this is|i am|i['’]m|it['’]s|it is|call me|name:|(?:you['’]re|you are) (?:talking|speaking) (?:to|with))\s+/i;
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
  const reply = text
    .trim()
    .replace(/^(?:(?:yes|sure|of course|okay|ok),\s*)?(?:(?:that['’]s|that is)\s+(?=\p{Lu}))?/iu, "");
  const name = NAME.exec(reply)?.[0];
  if (!name || /^(?:yes|no|hello|hi|okay|ok|sure|thanks|sorry|what|i|the|my)\b/i.test(name)) return undefined;
  const rest = reply.slice(name.length);
  return /^(?:[.!]*|,? spel(?:led|t)\b.*)$/.test(rest) || (name.includes(" ") && /^[,.]/.test(rest)) ? name : undefined;
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
  /^(?:(?:oh|well|um|ok|okay|great|thanks?)[,.!\s]+)*(?:yes|yeah|yep|yup|sure|correct|exactly|right|absolutely|definitely|of course|certainly|please do|that(?:['’]s| is) (?:exactly |absolutely |quite |all )?(?:right|correct|fine)|sounds good|go ahead|ok(?:ay)?|all right|alright|i do(?! not)|i am(?! not)|i (?:can |do |hereby )?(?:confirm|agree|accept|approve|consent)|confirmed|agreed|accepted|(?:that |it )?works for me|that works|perfect)\b/i;
const NO =
  /^(?:(?:oh|well|um|ok|okay|thanks?)[,.!\s]+)*(?:no|nope|nah|not really|not at all|negative|never|i don['’]t|i do not|i['’]m not|that['’]s (?:wrong|not)|incorrect)\b/i;
const DONE =
  /\b(?:good ?bye|bye|that(?:['’]s| is| was| will be) (?:all|it|everything)|nothing (?:else|more)|no(?:thing)?,? thank(?:s| you)|i['’]?a?m (?:done|finished)|all set|have a (?:good|nice))\b/i;
const LOST =
  /^(?:(?:sorry|pardon|excuse me|what|huh|hm+)\s*[?.!]*$|.*\b(?:repeat|say that again|hold on|one (?:moment|second)|wait a|did(?:n['’]t| not) (?:catch|understand|hear)|don['’]t (?:know|understand|remember|have)|do not (?:know|understand|remember|have)|not sure)\b)/i;

/** Detects the mood of a reply from its words. */
export function moodOf(reply: string): Mood {
  const text = reply.trim();
  const lost = LOST.test(text);
  const refuses = !lost && /^(?!why not)(?:[\p{L}'’]+ ){1,2}not[.!]*$/iu.test(text);
  return { yes: !refuses && YES_WORDS.test(text), no: refuses || NO.test(text), done: DONE.test(text), lost };
}

const GIVEN =
  /\b(?:gives?|gave|given|provides?|provided|shares?|shared|states?|stated|says?|said|tells?|told|names?|named|mentions?|mentioned|answers?|answered|supplies|supplied|enters?|entered)\b(.*)/i;
/** Only the first of several alternatives names the value that was given. */
const ALTERNATIVES = /[,;:.]|\b(?:and|or|but|when|because|so)\b/;

/** What the caller gives by a condition. */
export function givenIn(condition: string): string | undefined {
  return GIVEN.exec(condition)?.[1]?.split(ALTERNATIVES)[0];
}
