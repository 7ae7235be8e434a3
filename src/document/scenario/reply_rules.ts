/** The replies that a rule is about, and how many of them must obey it. */
export interface ReplyPlace {
  /** Only what the agent says at this node. */
  readonly node?: string | null;
  /** Number of the caller's turn from which on the rule applies; 0 is the opening. */
  readonly from_turn?: number | null;
  /** Number of the last turn in which the rule applies. */
  readonly to_turn?: number | null;
  /** RE2 expression or glob: the rule applies after the first message of caller or agent that matches. */
  readonly after?: string | null;
  /** Share of the replies that must obey the rule, above 0 and up to 1. Default: 1, each of them. */
  readonly at_least?: number | null;
}

/** What must hold of each reply, with one key. All but `criterion` are computed without a model. */
export type ReplyRule = ReplyPlace &
  (
    | { readonly criterion: string }
    | { readonly pattern: string }
    | { readonly no_pattern: string }
    | { readonly words_at_most: number }
    | { readonly seconds_at_most: number }
    | { readonly questions_at_most: number }
    | { readonly reading_level_at_most: number }
    | { readonly silence_at_most_ms: number }
    | { readonly no_repetition: true }
    | { readonly says_back: string }
  );

/** A rule that the judge's model decides. */
export type JudgedReplyRule = Extract<ReplyRule, { readonly criterion: string }>;

/** Keys of which each rule has one. */
export const REPLY_RULE_KINDS = [
  "criterion",
  "pattern",
  "no_pattern",
  "words_at_most",
  "seconds_at_most",
  "questions_at_most",
  "reading_level_at_most",
  "silence_at_most_ms",
  "no_repetition",
  "says_back",
] as const;

/** Keys of a rule that say where it applies. */
export const REPLY_PLACE_KEYS = ["node", "from_turn", "to_turn", "after", "at_least"] as const;

/** The patterns of a rule, by their keys. */
export function replyPatterns(rule: ReplyRule): readonly { readonly key: string; readonly source: string }[] {
  return [
    ...("pattern" in rule ? [{ key: "pattern", source: rule.pattern }] : []),
    ...("no_pattern" in rule ? [{ key: "no_pattern", source: rule.no_pattern }] : []),
    ...(typeof rule.after === "string" ? [{ key: "after", source: rule.after }] : []),
  ];
}

/** A rule in one line: `each reply: at most 30 words (at "greet", from turn 1)`. */
export function replyRuleText(rule: ReplyRule): string {
  const place = placeText(rule);
  return `each reply: ${ruleText(rule)}${place === "" ? "" : ` (${place})`}`;
}

/** A rule as a sentence for the judge of a whole call. */
export function replyRuleSentence(rule: ReplyRule): string {
  const place = placeText(rule);
  return `In each reply of the agent${place === "" ? "" : ` (${place})`}: ${ruleText(rule)}`;
}

function ruleText(rule: ReplyRule): string {
  if ("criterion" in rule) return rule.criterion;
  if ("pattern" in rule) return `matches ${rule.pattern}`;
  if ("no_pattern" in rule) return `does not match ${rule.no_pattern}`;
  if ("words_at_most" in rule) return `at most ${counted(rule.words_at_most, "word")}`;
  if ("seconds_at_most" in rule) return `at most ${rule.seconds_at_most} s of speech`;
  if ("questions_at_most" in rule) return `at most ${counted(rule.questions_at_most, "question")}`;
  if ("reading_level_at_most" in rule) return `a reading level of at most ${rule.reading_level_at_most}`;
  if ("silence_at_most_ms" in rule) return `at most ${rule.silence_at_most_ms} ms of silence before it`;
  if ("no_repetition" in rule) return "repeats no sentence";
  return `says ${rule.says_back} back rightly`;
}

function placeText({ node, from_turn: from, to_turn: to, after, at_least: least }: ReplyPlace): string {
  const turns = [from == null ? [] : [`from turn ${from}`], to == null ? [] : [`up to turn ${to}`]].flat();
  return [
    ...(node == null ? [] : [`at "${node}"`]),
    ...turns,
    ...(after == null ? [] : [`after ${after}`]),
    ...(least == null ? [] : [`at least ${Math.round(least * 1000) / 10} %`]),
  ].join(", ");
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
