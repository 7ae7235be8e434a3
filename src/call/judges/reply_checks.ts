import { own } from "../../base/values/mod.ts";
import { textOf } from "../../document/expressions/mod.ts";
import { type ReplyRule, replyRules, replyRuleText, type Scenario } from "../../document/scenario/mod.ts";
import type { CheckResult, NotChecked, TurnLatency } from "../../document/transcript/mod.ts";
import type { JudgedCall } from "./metric.ts";
import { countReplies, type PatternsBySource, patternOf, type Reply, type RuledReply, repliesAt } from "./replies.ts";
import {
  questionCount,
  readingLevel,
  repeatableSentences,
  saidBack,
  speechSeconds,
  wordsOf,
} from "./reply_measures.ts";

/** A call whose replies are checked. Its start variables are texts. */
export type RepliedCall = Pick<JudgedCall, "transcript" | "variables" | "latency">;

/** Results of the rules for each reply, and the rules that apply to no reply of a call. */
export interface ReplyChecks {
  readonly checks: readonly CheckResult[];
  readonly notChecked: readonly NotChecked[];
}

type Expectations = Pick<Scenario, "each_reply" | "extracts" | "dynamic_variables">;

/**
 * Checks the rules for each reply that need no model. A rule that applies to no reply is not checked, one for the judge
 * included: it would hold of every call.
 */
export function checkReplies(scenario: Expectations, call: RepliedCall, patterns: PatternsBySource): ReplyChecks {
  const results = replyRules(scenario).map((rule) => {
    const replies = repliesAt(rule, call.transcript, patterns);
    const expected = replyRuleText(rule);
    if (replies.length === 0) return { notChecked: { kind: "each_reply", expected, reason: noReply(rule) } as const };
    if ("criterion" in rule) return {};
    const ruled = ruledReplies(rule, { replies, call, scenario, patterns });
    if (typeof ruled === "string") return { notChecked: { kind: "each_reply", expected, reason: ruled } as const };
    return { check: checkOf(rule, expected, ruled) };
  });
  return {
    checks: results.flatMap(({ check }) => check ?? []),
    notChecked: results.flatMap(({ notChecked }) => notChecked ?? []),
  };
}

function checkOf(rule: ReplyRule, expected: string, ruled: readonly RuledReply[]): CheckResult {
  const kind = "each_reply";
  if (ruled.length === 0) return { kind, expected, passed: false, reason: "no reply says it back" };
  const { share, replies, reason } = countReplies(ruled);
  return { kind, expected, passed: share >= (rule.at_least ?? 1), reason, replies };
}

function noReply({ after }: ReplyRule): string {
  return after == null ? "the agent says nothing there" : `the agent says nothing after ${after}`;
}

interface Ruling {
  readonly replies: readonly Reply[];
  readonly call: RepliedCall;
  readonly scenario: Expectations;
  readonly patterns: PatternsBySource;
}

/** Decides for each reply whether it obeys a rule; a text: why the call does not show it. */
function ruledReplies(
  rule: Exclude<ReplyRule, { readonly criterion: string }>,
  ruling: Ruling,
): readonly RuledReply[] | string {
  const { replies, call, patterns } = ruling;
  const each = (judge: (text: string) => string | undefined) =>
    replies.map((reply): RuledReply => {
      const found = judge(reply.text);
      return { reply, holds: found === undefined, found: found ?? "" };
    });
  const matching =
    (source: string, { is }: { readonly is: boolean }) =>
    (text: string) =>
      patternOf(source, patterns).matches(text) === is ? undefined : "";
  if ("pattern" in rule) return each(matching(rule.pattern, { is: true }));
  if ("no_pattern" in rule) return each(matching(rule.no_pattern, { is: false }));
  if ("words_at_most" in rule) return each(atMost(rule.words_at_most, (text) => wordsOf(text).length, "words"));
  if ("seconds_at_most" in rule) return each(atMost(rule.seconds_at_most, speechSeconds, "s"));
  if ("questions_at_most" in rule) return each(atMost(rule.questions_at_most, questionCount, "questions"));
  if ("reading_level_at_most" in rule)
    return each(atMost(rule.reading_level_at_most, readingLevel, "is its reading level"));
  if ("silence_at_most_ms" in rule) return silences(rule.silence_at_most_ms, replies, call.latency ?? []);
  if ("no_repetition" in rule) return repetitions(replies, call);
  return saidBackReplies(rule.says_back, ruling);
}

function atMost(limit: number, measure: (text: string) => number, unit: string) {
  return (text: string): string | undefined => {
    const found = measure(text);
    return found <= limit ? undefined : `${found} ${unit}`;
  };
}

/** The silence before a reply is the time until its turn's first word. */
function silences(
  limitMs: number,
  replies: readonly Reply[],
  latency: readonly TurnLatency[],
): readonly RuledReply[] | string {
  const measured = replies.flatMap((reply): RuledReply[] => {
    const ms = latency.find(({ turn }) => turn === reply.turn)?.firstWordMs;
    return typeof ms === "number" ? [{ reply, holds: ms <= limitMs, found: `after ${Math.round(ms)} ms` }] : [];
  });
  return measured.length === 0 ? "no reply there was measured" : measured;
}

/** A reply repeats what it says twice itself, or what the agent said before, wherever that was. */
function repetitions(replies: readonly Reply[], { transcript }: RepliedCall): readonly RuledReply[] {
  const turns = new Map(replies.map((reply) => [reply.turn, reply]));
  const said = new Set<string>();
  const ruled: RuledReply[] = [];
  for (const { turn, text } of repliesAt({}, transcript, new Map())) {
    const reply = turns.get(turn);
    const whole = repeatableSentences(text);
    const own = reply === undefined ? [] : repeatableSentences(reply.text);
    const isTwice = (words: string) => whole.filter((each) => each.words === words).length > 1;
    const again = own.find(({ words }) => said.has(words) || isTwice(words));
    if (reply)
      ruled.push({ reply, holds: again === undefined, found: again ? `again: "${again.sentence.trim()}"` : "" });
    for (const { words } of whole) said.add(words);
  }
  return ruled;
}

/** Replies that say a value, rightly or not. The others say nothing about it. */
function saidBackReplies(name: string, { replies, call, scenario }: Ruling): readonly RuledReply[] | string {
  const value = textOf(
    own({ ...scenario.extracts }, name) ?? own({ ...scenario.dynamic_variables }, name) ?? own(call.variables, name),
  );
  if (value === undefined || value.trim() === "") return `${name} has no value`;
  return replies.flatMap((reply): RuledReply[] => {
    const said = saidBack(reply.text, value);
    if (said.kind === "absent") return [];
    const found = said.kind === "wrong" ? `"${said.said}" instead of "${value}"` : "";
    return [{ reply, holds: said.kind === "right", found }];
  });
}
