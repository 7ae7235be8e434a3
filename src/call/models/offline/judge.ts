import type { JudgeInput, JudgeOutput } from "../signatures/mod.ts";
import { sentences, sharedStems, significantWords, stems } from "./words.ts";

/** Low, because shared words say little about meaning. */
const CONFIDENCE = 0.3;
/** Negations in English, German, French, Spanish, Italian, Portuguese and Dutch. */
const FORBIDS =
  /(?<!\p{L})(?:n['’](?=\p{L})|(?:(?:does|do|did|must|should|shall|will|may|is|are) ?n[o'’]t|never|avoids?|refrains?|omits?|without|no|nothing|nicht|nie|niemals|kein(?:e[mnrs]?)?|nichts|ohne|vermeidet|ne|jamais|sans|aucune?|évite|no|nunca|jamás|sin|ning[uú]na?|evita|non|senza|nessuna?|não|nunca|sem|nenhuma?|niet|nooit|geen|zonder)(?!\p{L}))/iu;
/** Matches reports such as "says that there is no order", where the negation does not forbid anything. */
const REPORTS =
  /\b(?:says?|tells?|explains?|confirms?|states?|mentions?|informs?|admits?|acknowledges?|repeats?)\b.*\b(?:that|there)\b|\b(?:dass|que|che|dat)\b|\bqu['’]/i;
const ASKS = /\b(?:asks?|asked|asking|inquires?|enquires?)\b/i;

/**
 * Scores each criterion by the share of its words that the agent said. Criteria about asking need the words in a
 * question. For a criterion that forbids something, the score is the share of words that were not said. A criterion
 * without significant words scores 0.
 */
export function judgeByWords({ criteria, transcript }: JudgeInput): JudgeOutput {
  const agent = transcript.filter(({ role }) => role === "assistant").map(({ content }) => content);
  return { verdicts: criteria.map(({ number, criterion }) => ({ number, ...judgeOne(criterion, agent) })) };
}

function judgeOne(criterion: string, agent: readonly string[]) {
  const claims = claimOf(criterion);
  const forbids = claims === "absence";
  const wanted = new Set([...stems(criterion)].map((word) => (forbids ? word.replace(/^!/, "") : word)));
  const spoken = agent.flatMap(sentences);
  const lines = !forbids && ASKS.test(criterion) ? spoken.filter((line) => line.includes("?")) : spoken;
  const said = new Set(lines.flatMap((line) => [...stems(line)]));
  const found = sharedStems(wanted, said);
  const share = wanted.size === 0 ? 0 : found.length / wanted.size;
  const score = wanted.size === 0 ? 0 : Math.round((forbids ? 1 - share : share) * 100) / 100;
  const quote = mostAlike(lines, wanted);
  const missing = [...wanted].filter((word) => !found.includes(word));
  const written = new Map(
    significantWords(criterion).map(({ stem, at }) => [stem.replace(/^!/, ""), wordAt(criterion, at)]),
  );
  const list = (words: readonly string[]) =>
    words.map((word) => `"${written.get(word.replace(/^!/, "")) ?? word}"`).join(", ");
  const what =
    wanted.size === 0
      ? "it has none to look for"
      : found.length === 0
        ? `the agent did not say ${list(missing)}`
        : `the agent said ${list(found)}${missing.length > 0 ? `, but not ${list(missing)}` : ""}`;
  return {
    requirement: forbids
      ? `Must not hold in the agent's words: ${criterion}`
      : `Must hold in the agent's words: ${criterion}`,
    claims,
    evidence: quote === "" ? [] : [{ role: "assistant" as const, quote }],
    reasoning: `The offline model only matches words of the criterion: ${what}.`,
    score,
    confidence: wanted.size === 0 ? 0 : CONFIDENCE,
  };
}

/** Whether the wording of a criterion claims that something is said or done, or that it is not. */
export function claimOf(criterion: string): "presence" | "absence" {
  const negation = FORBIDS.exec(criterion);
  return negation !== null && !REPORTS.test(criterion.slice(0, negation.index)) ? "absence" : "presence";
}

function mostAlike(lines: readonly string[], wanted: ReadonlySet<string>): string {
  let best = "";
  let most = 0;
  for (const line of lines) {
    const shared = sharedStems(wanted, stems(line)).length;
    if (shared > most) [best, most] = [line, shared];
  }
  return best;
}

function wordAt(text: string, at: number): string {
  return /^[\p{L}\p{N}'’]+/u.exec(text.slice(at))?.[0] ?? "";
}
