import type { CallSettings } from "../models/mod.ts";
import type { Budget, Limits, LiveTools } from "../turn/mod.ts";
import { groupOf, isRecord, OPTION, type OptionRules, oneOf, recordOf, rule } from "../values/mod.ts";
import type { ConversationOptions } from "./conversation_options.ts";

/** A rule for each option, so that no new one is forgotten. */
export type RulesFor<Options> = { readonly [Name in keyof Required<Options>]: OptionRules[string] };

/** What all model calls of a call have in common. */
export const CALL_SETTINGS = {
  timeoutMs: OPTION.milliseconds,
  retry: groupOf({
    retries: OPTION.countFromZero,
    timeoutRetries: OPTION.countFromZero,
    minDelayMs: OPTION.fromZero,
    maxDelayMs: OPTION.fromZero,
  }),
  onRetry: OPTION.function,
  around: OPTION.function,
  within: OPTION.list,
  clock: rule("a clock of calls, with now(), pause() and after()", isClock),
  prices: recordOf(rule("", isPrice), "an object with { input, output } in dollars for a million tokens by model"),
} satisfies RulesFor<CallSettings>;

const LIMITS = {
  modelCalls: OPTION.fromZero,
  tokens: OPTION.fromZero,
  costUsd: OPTION.fromZero,
  wallMs: OPTION.fromZero,
} satisfies RulesFor<Limits>;

/** Whoever asks for the model says what is wrong with it. */
const ANY_MODEL = rule("a model", () => true);

/** Options that a single call and a run of many have in common. */
export const SHARED_OPTIONS = {
  models: groupOf({ agent: ANY_MODEL, caller: ANY_MODEL, judge: ANY_MODEL }),
  variables: OPTION.object,
  tools: recordOf(
    rule("", (value) => value === undefined || typeof value === "function"),
    "an object with a function by each tool's name",
  ),
  liveTools: {
    ...groupOf({ hosts: OPTION.texts, maxBytes: OPTION.count } satisfies RulesFor<LiveTools>),
    needs: 'an object such as { hosts: ["api.example.com"] }',
    accepts: (value) => isRecord(value) && value.hosts !== undefined,
  },
  toolTimeoutMs: OPTION.milliseconds,
  budget: groupOf({ call: groupOf(LIMITS), turn: groupOf(LIMITS) } satisfies RulesFor<Budget>),
  signal: OPTION.signal,
  turn: oneOf("split", "speculative", "fused"),
  now: OPTION.function,
} satisfies OptionRules;

/** The options of a conversation. */
export const CONVERSATION_OPTIONS = {
  ...CALL_SETTINGS,
  ...SHARED_OPTIONS,
  mocks: rule(
    'a list of mocks, each with at least { tool_name: "…" }',
    (value) => Array.isArray(value) && value.every(isMock),
  ),
  steering: oneOf("one", "all"),
  onToken: OPTION.function,
  onMessage: OPTION.function,
  onTool: OPTION.function,
} satisfies RulesFor<ConversationOptions>;

function isMock(value: unknown): boolean {
  if (!isRecord(value) || typeof value.tool_name !== "string") return false;
  const match = value.input_match_rule ?? { type: "any" };
  return isRecord(match) && (match.type === "any" || (match.type === "partial_match" && isRecord(match.args)));
}

function isClock(value: unknown): boolean {
  return isRecord(value) && ["now", "pause", "after"].every((name) => typeof value[name] === "function");
}

function isPrice(value: unknown): boolean {
  return isRecord(value) && OPTION.fromZero.accepts(value.input) && OPTION.fromZero.accepts(value.output);
}
