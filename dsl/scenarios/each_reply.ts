import { ScenarioError } from "../../src/base/errors.ts";
import { checkOptions, defined, OPTION, rule } from "../../src/base/values/mod.ts";
import type { ReplyPlace, ReplyRule } from "../../src/document/scenario/mod.ts";
import { given, patternSource } from "./arguments.ts";

/** The replies that a rule for each reply is about. */
export interface EachReplyOptions<NodeId extends string = string> {
  /** Only what the agent says at this node. */
  readonly node?: NodeId;
  /** Turn of the caller from which on the rule applies; 0 is the opening. */
  readonly fromTurn?: number;
  /** Last turn of the caller in which the rule applies. */
  readonly toTurn?: number;
  /** The rule applies after the first message, of caller or agent, that matches this pattern. */
  readonly after?: string | RegExp;
  /** Share of the replies that must obey the rule, above 0 and up to 1. Default: 1, each of them. */
  readonly atLeast?: number;
}

/** Rules for each reply. A reply is what the agent says between two messages of the caller. */
export interface EachReply<Draft, NodeId extends string = string, Variable extends string = string> {
  /** A criterion that the judge decides for each reply, many replies in one request: `is courteous`. */
  (criterion: string, options?: EachReplyOptions<NodeId>): Draft;
  /** A pattern (RE2 or glob) that each reply must match. */
  matches(pattern: string | RegExp, options?: EachReplyOptions<NodeId>): Draft;
  /** A pattern (RE2 or glob) that no reply may match. */
  lacks(pattern: string | RegExp, options?: EachReplyOptions<NodeId>): Draft;
  /** Maximum number of words. */
  words(atMost: number, options?: EachReplyOptions<NodeId>): Draft;
  /** Maximum seconds of speech, estimated at 0.4 s for a word. */
  seconds(atMost: number, options?: EachReplyOptions<NodeId>): Draft;
  /** Maximum number of questions: of question marks. */
  questions(atMost: number, options?: EachReplyOptions<NodeId>): Draft;
  /** Maximum reading level: the school grade of the automated readability index. */
  readingLevel(atMost: number, options?: EachReplyOptions<NodeId>): Draft;
  /** Maximum milliseconds of silence before the agent's first word. */
  silence(atMostMs: number, options?: EachReplyOptions<NodeId>): Draft;
  /** No sentence of four words or more that the agent has said before. */
  repeatsNothing(options?: EachReplyOptions<NodeId>): Draft;
  /** The agent says the value of a variable back, and never another value that is almost the same. */
  saysBack(variable: Variable, options?: EachReplyOptions<NodeId>): Draft;
}

const RULES = {
  ...{
    node: OPTION.text,
    fromTurn: rule("a whole number from 0", isNumber),
    toTurn: rule("a whole number from 0", isNumber),
  },
  after: rule("a pattern", (value) => typeof value === "string" || value instanceof RegExp),
  atLeast: rule("a number above 0 and up to 1", isNumber),
};

function isNumber(value: unknown): boolean {
  return typeof value === "number"; // the document's schema has the bounds
}

/** The methods that add a rule for each reply. */
export function eachReply<Draft>(add: (rule: ReplyRule) => Draft): EachReply<Draft> {
  const added = (key: string, what: object, value: unknown, options: EachReplyOptions = {}): Draft => {
    given(key, value);
    // the key of `what` is one of a rule's, and its value is validated with the whole scenario
    return add({ ...what, ...placeOf(options) } as ReplyRule);
  };
  const judged = (criterion: string, options?: EachReplyOptions) =>
    added("eachReply", { criterion }, criterion, options);
  return Object.assign(judged, {
    matches: (pattern: string | RegExp, options?: EachReplyOptions) =>
      added("eachReply.matches", { pattern: patternSource(pattern) }, pattern, options),
    lacks: (pattern: string | RegExp, options?: EachReplyOptions) =>
      added("eachReply.lacks", { no_pattern: patternSource(pattern) }, pattern, options),
    words: (atMost: number, options?: EachReplyOptions) =>
      added("eachReply.words", { words_at_most: atMost }, atMost, options),
    seconds: (atMost: number, options?: EachReplyOptions) =>
      added("eachReply.seconds", { seconds_at_most: atMost }, atMost, options),
    questions: (atMost: number, options?: EachReplyOptions) =>
      added("eachReply.questions", { questions_at_most: atMost }, atMost, options),
    readingLevel: (atMost: number, options?: EachReplyOptions) =>
      added("eachReply.readingLevel", { reading_level_at_most: atMost }, atMost, options),
    silence: (atMostMs: number, options?: EachReplyOptions) =>
      added("eachReply.silence", { silence_at_most_ms: atMostMs }, atMostMs, options),
    repeatsNothing: (options?: EachReplyOptions) =>
      added("eachReply.repeatsNothing", { no_repetition: true }, true, options),
    saysBack: (variable: string, options?: EachReplyOptions) =>
      added("eachReply.saysBack", { says_back: variable }, variable, options),
  });
}

function placeOf(options: EachReplyOptions): ReplyPlace {
  checkOptions(options, RULES, ScenarioError, "Cannot add a rule for each reply");
  const { node, fromTurn, toTurn, after, atLeast } = options;
  return defined({
    node,
    from_turn: fromTurn,
    to_turn: toTurn,
    after: after === undefined ? undefined : patternSource(after),
    at_least: atLeast,
  });
}
