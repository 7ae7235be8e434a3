/** A transition condition, rephrased as something the caller does. */
export interface CallerWords {
  /** For a persona: "you give the order number". */
  readonly you: string;
  /** For a line of the caller: "I give the order number." */
  readonly line: string;
}

const PEOPLE =
  "(?:caller|user|customer|client|guest|patient|member|visitor|person|contact|lead|prospect|borrower|debtor|tenant)";
const LEAD_IN = /^(?:(?:if|when|once|after|as soon as|in case)\s+)/i;
const SUBJECT = new RegExp(`^(?:(?:the|a|this)\\s+)?(?:${PEOPLE}(?!['’])|they|he|she)\\b\\s*`, "i");
/** Words before the verb: "explicitly said", "also wants". */
const ADVERBS = /^(?:(?:\w+ly|also|still|now|then|already|just|again|either|never|not|no longer)\s+)+/i;
const ANSWER = new RegExp(
  `^(?:(?:the|a)\\s+)?(?:(?:his|her|their|${PEOPLE}['’]?s?)\\s+)?(?:answer|response|reply)\\s+(?:is|was)\\s+(.+)$`,
  "i",
);
/** Parts of a condition that instruct the agent, and say nothing about the caller. */
const FOR_AGENT =
  /^(?:only|do not|does not|don['’]t|doesn['’]t|never|note|important|this (?:is|does|includes)|that is|transition|trigger|use this|go to|stay|remain|any |general |a single|examples?\b|close\b|end the call|transfer\b|proceed|continue)|\b(?:trigger|transition|node|edge)s?\b|\b(?:is|are|does) NOT\b/i;
const ORDER_AT_END =
  /\s*[,;–—-]\s+(?:close|transfer(?: (?:now|immediately))?|(?:book|capture|collect details) as priority|attempt capture|proceed|continue|end (?:the )?call|hang up|ready to (?:confirm|proceed)|(?:go|move|route) (?:back )?to\b[^,;]*)$/i;
const STATE =
  /\b(?:is|are|was|were|has|have|had|does|do|did|can|cannot|could|will|would|aligns?|fails?|done|not|taken|given|made|sent|found|paid|known)\b|\b(?!need\b|speed\b)\w{3,}ed\b/i;
const FINITE = /\b(?:is|are|was|were|has|have|had|does|did|can|cannot|will)\b/i;
/** Number of items from which a list of short phrases is a list of topics, whatever words are in it. */
const TOPICS = 3;
const GERUND =
  /^(?!(?:booking|billing|pricing|morning|evening|something|nothing|anything|everything|during|building|existing|missing|following|regarding|concerning|being)\b)\w{2,}ing\b/i;
const NOTHING_MORE = /^(?:nothing (?:else|more|further)|no (?:more|other|further) \w+)/i;

/**
 * Rephrases a condition for the caller: "Caller gives the order number" becomes "you give the order number". What is
 * said to the agent in it is left out. A condition about something else is what the caller brings about, or speaks of.
 */
export function callerWords(condition: string): CallerWords {
  const [first = "", ...more] = sentencesOf(condition);
  if (first === "") return { you: "you answer what the agent says", line: "Please go on." };
  const done = caller(first);
  if (done) {
    const rest = more.flatMap((sentence) => caller(sentence) ?? []);
    const all = (form: "you" | "line") => [done, ...rest].map((each) => each[form]);
    return {
      you: all("you")
        .join(". ")
        .replaceAll(/\. you\b/g, ". You"),
      line: all("line").join(" "),
    };
  }
  const text = [first, ...more].join(". ");
  if (NOTHING_MORE.test(first)) return { you: `you say that there is ${lower(first)}`, line: `${first}.` };
  const items = first.split(/\s*[,;/]\s*(?:or\s+)?|\s+or\s+/).filter(Boolean);
  const areShort = items.every((item) => item.split(/\s+/).length <= 6);
  const isList = items.length >= TOPICS ? !FINITE.test(items[0] ?? "") : !STATE.test(first);
  if (areShort && isList)
    return {
      you: `what you say is about ${items.length > 1 ? "one of these" : "this"}: "${first}"`,
      line: `It is about ${lower(items[0] ?? first)}.`,
    };
  return { you: `you say what is needed so that this holds: "${text}"`, line: `${text}.` };
}

/** The sentences of a condition that say something of the caller or the call. */
function sentencesOf(condition: string): readonly string[] {
  const sentences = condition
    .replace(/\s+/g, " ")
    .trim()
    .split(/(?<=[^.\s]{2}[.!]['"”’)]*)\s+(?=[\p{Lu}"“'(])/u)
    .map((sentence) => sentence.replace(/[.!]+$/, "").replace(ORDER_AT_END, ""));
  const [first = "", ...more] = sentences;
  return [first, ...more.filter((sentence) => sentence !== "" && !FOR_AGENT.test(sentence))];
}

/** A sentence about the caller in the second and the first person; `undefined` for another sentence. */
function caller(sentence: string): CallerWords | undefined {
  const text = sentence.replace(LEAD_IN, "");
  const answer = ANSWER.exec(text)?.[1];
  if (answer !== undefined) return { you: `you answer ${answer}`, line: `${start(answer)}.` };
  const subject = SUBJECT.exec(text)?.[0];
  const predicate = text.slice(subject?.length ?? 0);
  if (subject === undefined && GERUND.test(predicate)) return spoken("are", "am", lower(predicate));
  const adverbs = ADVERBS.exec(predicate)?.[0] ?? "";
  const [, verb = "", tail = ""] = /^([a-z'’]+)(.*)$/i.exec(predicate.slice(adverbs.length)) ?? [];
  const forms = verb === "" ? undefined : formsOf(verb, subject !== undefined);
  return forms && spoken(`${adverbs.toLowerCase()}${forms.you}`, `${adverbs.toLowerCase()}${forms.i}`, tail.trim());
}

function spoken(you: string, i: string, tail: string): CallerWords {
  const rest = (person: "you" | "I") =>
    tail === "" ? "" : `${/^[,;:]/.test(tail) ? "" : " "}${inPerson(tail, person)}`;
  return { you: `you ${you}${rest("you")}`, line: `I ${i}${rest("I")}.` };
}

/** Turns the verbs and pronouns of a sentence that goes on about the caller. */
function inPerson(text: string, person: "you" | "I"): string {
  const own = person === "you" ? "your" : "my";
  return text
    .replace(
      /((?:[,;/]|\s[—–-])(?:\s*(?:and|or|but)\b)?|\b(?:and|or|but|they|he|she)\b)((?:\s+(?:\w+ly|either|otherwise|also|still))?\s+)([a-z'’]+)\b/gi,
      (all, before, space, verb) => {
        const form = agreed(String(verb), person);
        return form === undefined ? all : `${before}${space}${form}`;
      },
    )
    .replace(/\b(?:they|he|she)\b/gi, person)
    .replace(/\b(?:they|he|she)['’](re|s)\b/gi, person === "you" ? "you are" : "I am")
    .replace(/\b(?:their|his|her)\b/gi, own)
    .replace(/\b(?:themsel(?:f|ves)|himself|herself|itself)\b/gi, person === "you" ? "yourself" : "myself");
}

/** The form of a known verb; nouns such as "technicians" have none. */
function agreed(word: string, person: "you" | "I"): string | undefined {
  const verb = word.toLowerCase();
  const be = person === "you" ? "are" : "am";
  if (["is", "are", "isn't", "aren't"].includes(verb)) return verb.endsWith("t") ? `${be} not` : be;
  if (["has", "does", "goes"].includes(verb)) return { has: "have", does: "do", goes: "go" }[verb];
  const base = baseOf(verb);
  return PAST_FORMS.get(verb) ?? (base !== undefined && BASE_FORMS.has(base) ? base : undefined);
}

/** Third person forms that no rule of spelling gives. */
const VERBS: ReadonlyMap<string, { readonly you: string; readonly i: string }> = new Map([
  ["is", { you: "are", i: "am" }],
  ["are", { you: "are", i: "am" }],
  ["isn't", { you: "are not", i: "am not" }],
  ["was", { you: "were", i: "was" }],
  ["has", { you: "have", i: "have" }],
  ["hasn't", { you: "have not", i: "have not" }],
  ["does", { you: "do", i: "do" }],
  ["doesn't", { you: "do not", i: "do not" }],
  ["goes", { you: "go", i: "go" }],
  ["dies", { you: "die", i: "die" }],
  ["lies", { you: "lie", i: "lie" }],
]);
const AUXILIARY =
  /^(?:did|had|have|do|can|cannot|can't|could|may|might|must|shall|should|will|won't|would|didn't|wasn't)$/i;

/**
 * The forms of a verb in the third person; `undefined` for a word that is not one.
 *
 * @param hasSubject Whether it follows a subject. Without one, only verbs that callers are said to do are known.
 */
function formsOf(word: string, hasSubject: boolean): { readonly you: string; readonly i: string } | undefined {
  const verb = word.toLowerCase().replaceAll("’", "'");
  const base = PAST_FORMS.get(verb) ?? baseOf(verb);
  const same = (form: string) => ({ you: form, i: form });
  if (!hasSubject)
    return base !== undefined && base !== verb && BASE_FORMS.has(base) && !PAST_FORMS.has(verb)
      ? same(base)
      : undefined;
  const known = VERBS.get(verb);
  if (known) return known;
  if (AUXILIARY.test(verb) || BASE_FORMS.has(verb)) return same(verb);
  if (base !== undefined) return same(base);
  return /ed$/.test(verb) ? same(verb) : undefined;
}

function baseOf(verb: string): string | undefined {
  if (/[^aeiou]ies$/.test(verb)) return verb.replace(/ies$/, "y");
  if (/(?:ss|sh|ch|x|zz|o)es$/.test(verb)) return verb.slice(0, -2);
  return /[^s']s$/.test(verb) ? verb.slice(0, -1) : undefined;
}

function start(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function lower(text: string): string {
  return /^\p{Lu}\p{Lu}/u.test(text) ? text : `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
}

/** Verbs with which conditions say what a caller does. Other words that end in "s" may be nouns. */
const REGULAR =
  "accept acknowledge add agree answer appear ask book call cancel change chase claim clarify complain confirm correct decide decline demand deny describe disagree end enquire enter explain express finish follow gather hesitate identify ignore indicate inform inquire insist intend interrupt inquire join like listen look mention name need object offer order pay prefer press promise propose provide push question raise reach receive refer refuse reject repeat reply report request require reschedule respond return schedule seem select share show signal silence sound speak start state stay stop struggle submit suggest supply talk threaten thank try use verify visit wait want wish work";
const IRREGULAR: readonly (readonly [base: string, past: string])[] = [
  ["say", "said"],
  ["tell", "told"],
  ["give", "gave"],
  ["choose", "chose"],
  ["speak", "spoke"],
  ["get", "got"],
  ["know", "knew"],
  ["understand", "understood"],
  ["find", "found"],
  ["make", "made"],
  ["leave", "left"],
  ["pick", "picked"],
  ["stop", "stopped"],
  ["refer", "referred"],
  ["prefer", "preferred"],
  ["hang", "hung"],
  ["keep", "kept"],
  ["think", "thought"],
  ["pay", "paid"],
];

/** Base forms of verbs that callers are said to do. */
const BASE_FORMS: ReadonlySet<string> = new Set([...REGULAR.split(" "), ...IRREGULAR.map(([base]) => base)]);

/** Base forms by past forms. */
const PAST_FORMS: ReadonlyMap<string, string> = new Map([
  ...REGULAR.split(" ").map((base) => [pastOf(base), base] as const),
  ...IRREGULAR.map(([base, past]) => [past, base] as const),
]);

function pastOf(base: string): string {
  if (base.endsWith("e")) return `${base}d`;
  return /[^aeiou]y$/.test(base) ? base.replace(/y$/, "ied") : `${base}ed`;
}
