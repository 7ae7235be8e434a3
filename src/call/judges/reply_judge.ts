import { type JudgedReplyRule, replyRuleText } from "../../document/scenario/mod.ts";
import type { Message, Verdict } from "../../document/transcript/mod.ts";
import { type CallOptions, callModel, type Model, type RepliesOutput, repliesSignature } from "../models/mod.ts";
import { containsText, evidenceText, foldText } from "./evidence.ts";
import { countReplies, type PatternsBySource, type Reply, repliesAt } from "./replies.ts";

/** Maximum number of replies in one request. */
export const REPLIES_PER_REQUEST = 40;

/** Number of requests that judge this number of replies. */
export function replyRequests(replies: number): number {
  return Math.ceil(replies / REPLIES_PER_REQUEST);
}

/** Calls whose replies are judged together, with the patterns of the rules. */
export interface JudgedReplies {
  readonly transcripts: readonly (readonly Message[])[];
  readonly patterns: PatternsBySource;
}

/**
 * Judges each reply of calls by criteria, many replies in one request. The criteria that apply to a reply are judged
 * together. A criterion is met in a call if the share of replies that meet it reaches its `at_least`; the score is that
 * share. The evidence is of the first reply that does not meet it.
 *
 * @returns For each call a verdict for each criterion that applies to a reply, in order.
 * @throws {ModelError} `model-output` when an answer does not judge each reply once.
 */
export async function judgeReplies(
  rules: readonly JudgedReplyRule[],
  { transcripts, patterns }: JudgedReplies,
  { model, ...options }: CallOptions & { readonly model: Model },
): Promise<readonly (readonly Verdict[])[]> {
  const calls = transcripts.map((transcript) => askedReplies(rules, transcript, patterns));
  const asked = calls.flat();
  const rulings = new Map<AskedReply, readonly Ruling[]>();
  for (let from = 0; from < asked.length; from += REPLIES_PER_REQUEST) {
    const batch = asked.slice(from, from + REPLIES_PER_REQUEST);
    const used = new Set(batch.flatMap(({ criteria }) => criteria));
    const input = {
      criteria: rules.flatMap(({ criterion }, index) =>
        used.has(index + 1) ? [{ number: index + 1, criterion }] : [],
      ),
      replies: batch.map(({ reply, criteria }, index) => ({
        number: index + 1,
        criteria: [...criteria],
        heard: reply.heard,
        reply: reply.text,
      })),
    };
    const answer = await callModel(model, repliesSignature, input, options);
    for (const [index, each] of batch.entries())
      rulings.set(
        each,
        answer.rulings.filter(({ reply }) => reply === index + 1),
      );
  }
  return calls.map((replies) =>
    rules.flatMap((rule, index) => {
      const ruled = replies.flatMap((each): RuledByModel[] => {
        if (!each.criteria.includes(index + 1)) return [];
        const ruling = rulings.get(each)?.find(({ criterion }) => criterion === index + 1);
        if (!ruling) throw new TypeError("unreachable: the signature rejects answers without a reply");
        return [{ reply: each.reply, ruling }];
      });
      return ruled.length === 0 ? [] : [verdictOf(rule, ruled)];
    }),
  );
}

/** How many replies of a call criteria apply to. */
export function judgedReplyCount(
  rules: readonly JudgedReplyRule[],
  transcript: readonly Message[],
  patterns: PatternsBySource,
): number {
  return askedReplies(rules, transcript, patterns).length;
}

type Ruling = RepliesOutput["rulings"][number];

interface RuledByModel {
  readonly reply: Reply;
  readonly ruling: Ruling;
}

interface AskedReply {
  readonly reply: Reply;
  /** Numbers of the criteria that apply to it, from 1. */
  readonly criteria: readonly number[];
}

/** The replies that any criterion applies to. A criterion with a node judges another part of a turn than the others. */
function askedReplies(
  rules: readonly JudgedReplyRule[],
  transcript: readonly Message[],
  patterns: PatternsBySource,
): readonly AskedReply[] {
  const found = new Map<string, { readonly reply: Reply; readonly criteria: number[] }>();
  for (const [index, rule] of rules.entries())
    for (const reply of repliesAt(rule, transcript, patterns)) {
      const key = `${reply.turn} ${reply.text}`;
      const known = found.get(key) ?? { reply, criteria: [] };
      known.criteria.push(index + 1);
      found.set(key, known);
    }
  return [...found.values()].sort((a, b) => a.reply.turn - b.reply.turn);
}

function verdictOf(rule: JudgedReplyRule, ruled: readonly RuledByModel[]): Verdict {
  const { share, replies, reason } = countReplies(
    ruled.map(({ reply, ruling }) => ({ reply, holds: ruling.met, found: ruling.met ? "" : ruling.reasoning.trim() })),
  );
  const threshold = rule.at_least ?? 1;
  const shown = ruled.find(({ ruling }) => !ruling.met) ?? ruled.find(({ ruling }) => ruling.quote.trim() !== "");
  const quote = shown?.ruling.quote.trim() ?? "";
  return {
    criterion: replyRuleText(rule),
    requirement: rule.criterion,
    evidence: evidenceText([{ role: "assistant", quote }]),
    ...(shown && quote !== "" ? { evidenceFound: containsText(foldText(shown.reply.text), foldText(quote)) } : {}),
    reasoning: reason,
    score: share,
    threshold,
    passed: share >= threshold,
    replies,
  };
}
