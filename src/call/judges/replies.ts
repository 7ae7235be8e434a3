import { wilson } from "../../base/statistics/mod.ts";
import type { ReplyPlace } from "../../document/scenario/mod.ts";
import type { CheckResult, Message } from "../../document/transcript/mod.ts";
import { clippedQuote } from "./evidence.ts";
import type { Pattern } from "./pattern.ts";

/** Compiled patterns of rules, by their sources. */
export type PatternsBySource = ReadonlyMap<string, Pattern>;

/** The compiled pattern of a rule. */
export function patternOf(source: string, patterns: PatternsBySource): Pattern {
  const pattern = patterns.get(source);
  if (!pattern) throw new TypeError(`unreachable: the pattern ${source} of a rule is compiled`);
  return pattern;
}

/** What the agent says between two messages of the caller. */
export interface Reply {
  /** The caller's messages before it; 0 is the opening. */
  readonly turn: number;
  /** The node of its first words. */
  readonly node: string;
  readonly text: string;
  /** What the caller said before it; empty in the opening. */
  readonly heard: string;
}

/**
 * The replies of a call to which a rule applies, in order. Consecutive messages of the agent are one reply, because a
 * caller hears them as one; a rule with a node is about what is said there.
 *
 * @param patterns Has the rule's `after`.
 */
export function repliesAt(
  place: ReplyPlace,
  transcript: readonly Message[],
  patterns: PatternsBySource,
): readonly Reply[] {
  const { node, from_turn: from, to_turn: to, after } = place;
  const start = after == null ? undefined : patternOf(after, patterns);
  let isOpen = after == null;
  let turn = 0;
  let heard = "";
  const replies: Reply[] = [];
  for (const { role, content, node_id: at } of transcript) {
    if (role === "user") {
      turn += 1;
      heard = content;
    }
    const isInTurns = turn >= (from ?? 0) && turn <= (to ?? Number.POSITIVE_INFINITY);
    if (role === "assistant" && isOpen && isInTurns && (node == null || node === at) && content.trim() !== "") {
      const last = replies.at(-1);
      if (last?.turn === turn) replies.splice(-1, 1, { ...last, text: `${last.text} ${content}` });
      else replies.push({ turn, node: at, text: content, heard });
    }
    const isSpoken = role === "user" || role === "assistant";
    if (isSpoken && start?.matches(content)) isOpen = true;
  }
  return replies;
}

/** A reply, and whether it obeys a rule. */
export interface RuledReply {
  readonly reply: Reply;
  readonly holds: boolean;
  /** What was found in a reply that breaks the rule. */
  readonly found: string;
}

/** How many replies obey a rule, with the 95 % interval of the share, and the first that breaks it in words. */
export interface CountedReplies {
  readonly share: number;
  readonly replies: NonNullable<CheckResult["replies"]>;
  readonly reason: string;
}

/** Counts the replies that obey a rule; there is at least one. */
export function countReplies(ruled: readonly RuledReply[]): CountedReplies {
  const held = ruled.filter(({ holds }) => holds).length;
  const of = ruled.length;
  const { low, high } = wilson(held, of);
  const broken = ruled.find(({ holds }) => !holds);
  const share = `${held} of ${of} ${of === 1 ? "reply" : "replies"} (95 % interval ${percent(low)} to ${percent(high)})`;
  const first = broken ? `; the first that breaks it, ${replyPlace(broken.reply)}: ${quoted(broken)}` : "";
  return { share: held / of, replies: { held, of, low, high }, reason: `${share}${first}` };
}

function quoted({ reply, found }: RuledReply): string {
  return found === "" ? clippedQuote(reply.text) : `${clippedQuote(reply.text)}, ${found}`;
}

/** The place of a reply: `in turn 2, node "billing"`. */
export function replyPlace({ turn, node }: Reply): string {
  const where = turn === 0 ? "in the opening" : `in turn ${turn}`;
  return node === "" ? where : `${where}, node "${node}"`;
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`;
}
