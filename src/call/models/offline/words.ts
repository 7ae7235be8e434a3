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

/** One word of a text. */
export interface StemmedWord {
  /** Form used for comparison: lower case, without endings. A negated word starts with `!`. */
  readonly stem: string;
  /** Index of the word in the text. */
  readonly at: number;
}

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

/** Returns the distinct stems of a text's significant words. */
export function stems(text: string): ReadonlySet<string> {
  return new Set(significantWords(text).map((word) => word.stem));
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
function sameMeaning(a: string, b: string): boolean {
  if (a === b) return true;
  if (a.startsWith("!") !== b.startsWith("!")) return false;
  const [left, right] = [a.replace("!", ""), b.replace("!", "")];
  return GROUPS.some((group) => group.has(left) && group.has(right));
}

/** Returns the stems of the first set whose meaning is in the second set. */
export function sharedStems(wanted: ReadonlySet<string>, said: ReadonlySet<string>): readonly string[] {
  return [...wanted].filter((word) => said.has(word) || [...said].some((other) => sameMeaning(word, other)));
}

/** Maximum length of a quotation within a sentence, in characters. Limits the search for a closing quote. */
const QUOTATION = 400;
const SENTENCE = new RegExp(`(?:[^.!?"“”]|["“][^"”]{0,${QUOTATION}}["”]|[.!?](?=[\\p{L}\\p{N}]))+[.!?]*["”]?`, "gu");

/** Returns the questions of a text in order, each with its question mark. */
export function questionsIn(text: string): readonly string[] {
  return [...text.matchAll(/[^.!?]+(\??)/g)].flatMap(([question, mark]) => (mark ? [question] : []));
}

/** Removes punctuation at the end of a text, in linear time. */
export function withoutEndMarks(text: string, marks = ".!"): string {
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
