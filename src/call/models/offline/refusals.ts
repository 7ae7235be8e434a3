/** A line of a call, whoever said it. */
export interface SaidLine {
  readonly role: string;
  readonly content: string;
}

/** Words of a question from which on it can be the same one again. */
const LEAST_WORDS = 4;

/** Whether a line of the agent refuses what the caller wants. */
export function refuses(line: string): boolean {
  return REFUSALS.some((pattern) => pattern.test(line));
}

/** For each line of the caller, the number of refusals that the agent had spoken before it; the last one for the end. */
export function refusalsBefore(transcript: readonly SaidLine[]): readonly number[] {
  const counts: number[] = [];
  const asked: ReadonlySet<string>[] = [];
  let refusals = 0;
  let isRefused = false;
  for (const { role, content } of transcript) {
    if (role === "user") {
      counts.push(refusals);
      isRefused = false;
    }
    if (role !== "assistant") continue;
    const questions = content
      .split(/(?<=[.!?])\s+/)
      .filter((sentence) => sentence.includes("?"))
      .map(wordSet);
    const isAgain = questions.some((words) => asked.some((each) => similarity(words, each) >= 0.8));
    asked.push(...questions.filter(({ size }) => size >= LEAST_WORDS));
    // several messages in a row are one refusal
    if (!isRefused && (isAgain || refuses(content))) {
      refusals += 1;
      isRefused = true;
    }
  }
  return [...counts, refusals];
}

/** The words of a text, for {@link similarity}. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(
    text
      .normalize("NFC")
      .toUpperCase()
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [],
  );
}

/** Share of the words of two texts that both have. */
export function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((word) => other.has(word)).length;
  return shared / Math.max(1, new Set([...one, ...other]).size);
}

const REFUSALS: readonly RegExp[] = [
  /\b(?:can['’]?t|cannot|can not|could not|couldn['’]t|unable to|not able to|not possible|impossible|not allowed|am afraid|unfortunately|won['’]t be able|have to decline|must decline|against (?:our|the) (?:rules|policy)|no way to)\b/i,
  /\b(?:leider|nicht möglich|unmöglich|geht nicht|kann ich (?:\p{L}+ ){0,4}nicht|können wir (?:\p{L}+ ){0,4}nicht|darf ich (?:\p{L}+ ){0,4}nicht)/iu,
  /(?:malheureusement|pas possible|impossible|je ne peux pas|nous ne pouvons pas|je regrette)/i,
  /(?:lamentablemente|desafortunadamente|no es posible|no puedo|no podemos|lo siento, pero)/i,
  /(?:infelizmente|não é possível|não posso|não podemos|não consigo)/i,
  /(?:purtroppo|non è possibile|non posso|non possiamo|mi dispiace, ma)/i,
  /\b(?:helaas|niet mogelijk|kan ik (?:\p{L}+ ){0,4}niet|kunnen we (?:\p{L}+ ){0,4}niet)/iu,
];
