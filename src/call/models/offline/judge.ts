import { foldedTarget } from "../../../document/graph/mod.ts";
import {
  type AuditInput,
  type AuditOutput,
  type FlowInput,
  type FlowInputStep,
  type FlowOutput,
  type JudgeInput,
  type JudgeOutput,
  NO_TRANSITION,
  type RepliesInput,
  type RepliesOutput,
} from "../signatures/mod.ts";
import { ENGLISH } from "./english.ts";
import type { Tongue } from "./tongue.ts";
import { pickTransition } from "./transition.ts";
import { questionsIn, sentences, sharedStems, stems } from "./words.ts";

/**
 * Audits a caller by the agent's last line: a question that is still open leaves the goal undecided. Facts need a
 * language model, except for those that the run finds by their form.
 */
export function auditByWords(
  { conversation_history: history }: AuditInput,
  { closing }: Tongue = ENGLISH,
): AuditOutput {
  const heard = history.findLast(({ role }) => role === "assistant")?.content ?? "";
  const open = questionsIn(heard).filter((question) => !closing.test(question));
  return {
    invented_facts: [],
    goal: "what the persona wants",
    goal_decided: open.length === 0,
    reasoning:
      open.length === 0
        ? "The offline model looks at the agent's last line only: it leaves no question open."
        : `The offline model looks at the agent's last line only: it asks "${open.at(-1)?.trim()}".`,
  };
}

/** Low, because shared words say little about meaning. */
const CONFIDENCE = 0.3;

type Entry = FlowInput["call"][number];

/**
 * Judges each step by the rules that pick transitions offline. Steps that no model decided, such as equations, are right.
 * The score is the share of steps that are right.
 */
export function judgeFlowByWords(input: FlowInput, tongue: Tongue = ENGLISH): FlowOutput {
  const steps = input.call.flatMap((entry, index) => {
    if (!("took" in entry) || entry.step === null) return [];
    return { ...judgeStep(entry, input.call.slice(0, index), input, tongue), step: entry.step };
  });
  const right = steps.filter((step) => step.right).length;
  return {
    steps,
    reasoning: `The offline model only matches words: judged by them, ${right} of ${steps.length} steps are right.`,
    score: steps.length === 0 ? 1 : Math.round((right / steps.length) * 100) / 100,
    confidence: CONFIDENCE,
  };
}

function judgeStep({ at, took, because }: FlowInputStep, before: readonly Entry[], input: FlowInput, tongue: Tongue) {
  const spoken = before.flatMap((entry) => ("role" in entry ? entry : []));
  const heard = spoken.findLast(({ role }) => role === "user")?.content ?? "";
  const evidence = { role: "user" as const, quote: heard };
  const pick = because === "" ? pickAt(at, before, input, tongue) : took;
  const right = foldedTarget(pick) === foldedTarget(took);
  const reasoning =
    because === ""
      ? `By its words, the conversation leads ${pick === NO_TRANSITION ? "nowhere" : `to "${pick}"`}`
      : `No model decided it: ${because}`;
  return { evidence, reasoning, right, should_have_taken: pick };
}

function pickAt(
  at: string,
  before: readonly Entry[],
  { nodes, global_nodes: globals }: FlowInput,
  tongue: Tongue,
): string {
  const node = nodes.find(({ id }) => id === at);
  const entered = before.findLastIndex((entry) => "took" in entry && entry.took !== NO_TRANSITION);
  const own = (node?.transitions ?? []).flatMap(({ target, condition, condition_type: type }) =>
    type === "llm_prompt" || type === "go_back"
      ? [{ target, condition, condition_type: type, description: "" } as const]
      : [],
  );
  const entries = globals
    .filter(({ target }) => node?.node_type === "conversation" && target !== at)
    .map((each) => ({ ...each, condition_type: "global", description: "" }) as const);
  const spoken = before.flatMap((entry) => ("role" in entry ? entry : []));
  const asked = {
    current_state_prompt: node?.prompt ?? "",
    conversation_history: before.slice(entered + 1).flatMap((entry) => ("role" in entry ? entry : [])),
    last_agent_message: spoken.findLast(({ role }) => role === "assistant")?.content ?? "",
    available_transitions: [...own, ...entries],
  };
  return pickTransition(asked, tongue).transition_to;
}

/** Low, because shared words say little about meaning. */
const JUDGE_CONFIDENCE = 0.3;
/** Negations in all languages. */
const FORBIDS =
  /(?<!\p{L})(?:n['’](?=\p{L})|(?:(?:does|do|did|must|should|shall|will|may|is|are) ?n[o'’]t|never|avoids?|refrains?|omits?|without|no|nothing|nicht|nie|niemals|kein(?:e[mnrs]?)?|nichts|ohne|vermeidet|ne|jamais|sans|aucune?|évite|no|nunca|jamás|sin|ning[uú]na?|evita|non|senza|nessuna?|não|nunca|sem|nenhuma?|niet|nooit|geen|zonder|नहीं|कभी|बिना|لا|لم|لن|بدون|دون)(?![\p{L}\p{M}]))|(?:ない|ません|なかった)/iu;
/** Matches reports such as "says that there is no order", where the negation does not forbid anything. */
const REPORTS =
  /\b(?:says?|tells?|explains?|confirms?|states?|mentions?|informs?|admits?|acknowledges?|repeats?)\b.*\b(?:that|there)\b|\b(?:dass|que|che|dat)\b|\bqu['’]/i;

/**
 * Scores each criterion by the share of its words that the agent said. Criteria about asking need the words in a
 * question. For a criterion that forbids something, the score is the share of words that were not said. A criterion
 * without significant words scores 0.
 */
export function judgeByWords({ criteria, transcript }: JudgeInput, tongue: Tongue = ENGLISH): JudgeOutput {
  const agent = transcript.filter(({ role }) => role === "assistant").map(({ content }) => content);
  return { verdicts: criteria.map(({ number, criterion }) => ({ number, ...judgeOne(criterion, agent, tongue) })) };
}

/** A reply meets a criterion if its score, as {@link judgeByWords} computes it of a call, reaches this. */
const REPLY_SCORE = 0.7;

/** Judges each reply by the words that it shares with a criterion. */
export function judgeRepliesByWords({ criteria, replies }: RepliesInput, tongue: Tongue = ENGLISH): RepliesOutput {
  return {
    rulings: replies.flatMap(({ number: reply, criteria: numbers, reply: text }) =>
      criteria
        .filter(({ number }) => numbers.includes(number))
        .map(({ number, criterion }) => {
          const { score, evidence, reasoning } = judgeOne(criterion, [text], tongue);
          return { reply, criterion: number, met: score >= REPLY_SCORE, quote: evidence[0]?.quote ?? "", reasoning };
        }),
    ),
  };
}

function judgeOne(criterion: string, agent: readonly string[], tongue: Tongue) {
  const claims = claimOf(criterion);
  const forbids = claims === "absence";
  const wanted = new Set([...stems(criterion, tongue)].map((word) => (forbids ? word.replace(/^!/, "") : word)));
  const spoken = agent.flatMap(sentences);
  const lines =
    !forbids && tongue.criterionAsks.test(criterion) ? spoken.filter((line) => /[?？؟]/.test(line)) : spoken;
  const said = new Set(lines.flatMap((line) => [...stems(line, tongue)]));
  const found = sharedStems(wanted, said, tongue);
  const share = wanted.size === 0 ? 0 : found.length / wanted.size;
  const score = wanted.size === 0 ? 0 : Math.round((forbids ? 1 - share : share) * 100) / 100;
  const quote = mostAlike(lines, wanted, tongue);
  const missing = [...wanted].filter((word) => !found.includes(word));
  const written = new Map(
    tongue.significantWords(criterion).map(({ stem, at }) => [stem.replace(/^!/, ""), wordAt(criterion, at)]),
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
    confidence: wanted.size === 0 ? 0 : JUDGE_CONFIDENCE,
  };
}

/** Whether the wording of a criterion claims that something is said or done, or that it is not. */
export function claimOf(criterion: string): "presence" | "absence" {
  const negation = FORBIDS.exec(criterion);
  return negation !== null && !REPORTS.test(criterion.slice(0, negation.index)) ? "absence" : "presence";
}

function mostAlike(lines: readonly string[], wanted: ReadonlySet<string>, tongue: Tongue): string {
  let best = "";
  let most = 0;
  for (const line of lines) {
    const shared = sharedStems(wanted, stems(line, tongue), tongue).length;
    if (shared > most) [best, most] = [line, shared];
  }
  return best;
}

function wordAt(text: string, at: number): string {
  return /^[\p{L}\p{M}\p{N}'’]+/u.exec(text.slice(at))?.[0] ?? "";
}
