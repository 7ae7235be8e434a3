/** A transition condition, rephrased as something the caller does. */
export interface CallerWords {
  /** For a persona: "You give the order number". */
  readonly you: string;
  /** For a line of the caller: "I give the order number". */
  readonly line: string;
}

const SUBJECT =
  /^(?:(?:if|when|once) )?(?:the )?(?:caller|user|customer|client|guest|patient|member|visitor|person|contact|lead)\b\s*(.*)$/is;

/** Third person forms that no rule of spelling gives. */
const VERBS: ReadonlyMap<string, { readonly you: string; readonly i: string }> = new Map([
  ["is", { you: "are", i: "am" }],
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
const AUXILIARY = /^(?:did|had|can|cannot|can't|could|may|might|must|shall|should|will|won't|would|didn't|wasn't)$/i;

/** A second verb, or a pronoun, whose form depends on who the sentence is about. */
const MORE = /\b(?:and|or|but|who|that)\s+(?:\w+ly\s+)?\w+s\b|[,;/]\s*\w+s\b|\b(?:they|them|he|she|him|her|his)\b/i;

/**
 * Rephrases a condition for the caller: "Caller gives the order number" becomes "You give the order number". A
 * condition that is not a plain sentence about the caller is quoted.
 */
export function callerWords(condition: string): CallerWords {
  const text = condition
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[.!]+$/, "");
  if (text === "") return { you: "You answer what the agent says", line: "Please go on." };
  const rest = SUBJECT.exec(text)?.[1] ?? "";
  const [, verb = "", tail = ""] = /^([a-z']+)(.*)$/i.exec(rest) ?? [];
  const forms = verb === "" || MORE.test(tail) ? undefined : formsOf(verb);
  if (!forms) return { you: `You make this true: "${text}"`, line: `${text}.` };
  const own = (pronoun: string) => tail.replace(/\btheir\b/gi, pronoun).replace(/\b\w+self\b/gi, "myself");
  return { you: `You ${forms.you}${own("your").replaceAll("myself", "yourself")}`, line: `I ${forms.i}${own("my")}.` };
}

/** The forms of a verb in the third person; `undefined` for a word that is not one. */
function formsOf(word: string): { readonly you: string; readonly i: string } | undefined {
  const verb = word.toLowerCase();
  const known = VERBS.get(verb);
  if (known) return known;
  if (AUXILIARY.test(verb) || /ed$/.test(verb)) return { you: verb, i: verb };
  const base = baseOf(verb);
  return base === undefined ? undefined : { you: base, i: base };
}

function baseOf(verb: string): string | undefined {
  if (/[^aeiou]ies$/.test(verb)) return verb.replace(/ies$/, "y");
  if (/(?:ss|sh|ch|x|zz|o)es$/.test(verb)) return verb.slice(0, -2);
  return /[^s']s$/.test(verb) ? verb.slice(0, -1) : undefined;
}
