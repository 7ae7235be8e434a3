import { groupOf, isRecord, OPTION, type OptionRules, oneOf, recordOf, rule } from "../../../base/values/mod.ts";
import { CALL_SETTINGS, ruleOf } from "../../../document/settings/mod.ts";
import type { Models, RequestOptions } from "../../models/mod.ts";
import type { Budget, BudgetLimits, CallLimits, LiveTools } from "../../turn/mod.ts";
import type { Listeners } from "../call/mod.ts";
import type { Clocks, ConversationOptions, SharedOptions } from "./conversation_options.ts";

/** A rule for each option; a new option without a rule is a compile error. */
export type RulesFor<Options> = { readonly [Name in keyof Required<Options>]: OptionRules[string] };

/** Rules of {@link RequestOptions}. */
export const REQUESTS = {
  tryTimeoutMs: OPTION.milliseconds,
  retry: groupOf({
    retries: OPTION.countFromZero,
    timeoutRetries: OPTION.countFromZero,
    answerRetries: OPTION.countFromZero,
    minDelayMs: OPTION.fromZero,
    maxDelayMs: OPTION.fromZero,
  }),
  around: OPTION.function,
  within: OPTION.list,
  stream: OPTION.switch,
  telemetry: rule(
    "the value that run() sets from its option telemetry",
    (value) => isRecord(value) && typeof value.settings === "function",
  ),
  prices: recordOf(rule("", isPrice), "an object with { input, output } in dollars for a million tokens by model"),
} satisfies RulesFor<RequestOptions>;

const BUDGET_LIMITS = {
  modelCalls: OPTION.fromZero,
  tokens: OPTION.fromZero,
  costUsd: OPTION.fromZero,
  wallMs: OPTION.fromZero,
} satisfies RulesFor<BudgetLimits>;

/** Rules of {@link CallLimits}. */
export const LIMITS = {
  maxTurns: ruleOf(CALL_SETTINGS["max-turns"], { unlimited: true }),
  turnTimeoutMs: OPTION.milliseconds,
  toolTimeoutMs: OPTION.milliseconds,
  budget: groupOf({ call: groupOf(BUDGET_LIMITS), turn: groupOf(BUDGET_LIMITS) } satisfies RulesFor<Budget>),
} satisfies RulesFor<CallLimits>;

const CLOCKS = { now: OPTION.function, startCall: OPTION.function } satisfies RulesFor<Clocks>;

/** Rules of {@link Listeners}. */
export const LISTENERS = {
  onToken: OPTION.function,
  onMessage: OPTION.function,
  onTool: OPTION.function,
  onRetry: OPTION.function,
} satisfies RulesFor<Listeners>;

/** Accepts anything: models are checked where they are resolved. */
const ANY_MODEL = rule("a model", () => true);

/** Rules of the models of a conversation and of a run. */
export const MODELS = { agent: ANY_MODEL, caller: ANY_MODEL, judge: ANY_MODEL } satisfies RulesFor<Models>;

/** Rules of {@link SharedOptions}. */
export const SHARED_OPTIONS = {
  variables: OPTION.object,
  tools: recordOf(
    rule("", (value) => value === undefined || typeof value === "function"),
    "an object with a function per tool name",
  ),
  liveTools: {
    ...groupOf({ hosts: OPTION.texts, maxBytes: OPTION.count } satisfies RulesFor<LiveTools>),
    needs: 'an object such as { hosts: ["api.example.com"] }',
    accepts: (value) => isRecord(value) && value.hosts !== undefined,
  },
  limits: groupOf(LIMITS),
  requests: groupOf(REQUESTS),
  turn: ruleOf(CALL_SETTINGS.turn),
  clock: groupOf(CLOCKS),
  signal: OPTION.signal,
} satisfies RulesFor<SharedOptions>;

/** Rules of {@link ConversationOptions}. */
export const CONVERSATION_OPTIONS = {
  ...SHARED_OPTIONS,
  models: groupOf(MODELS),
  mocks: rule(
    'a list of mocks, each with at least { tool_name: "…" }',
    (value) => Array.isArray(value) && value.every(isMock),
  ),
  recordedTools: rule(
    "an object with answer() and transfer()",
    (value) => isRecord(value) && typeof value.answer === "function" && typeof value.transfer === "function",
  ),
  steering: oneOf("one", "all"),
  listeners: groupOf(LISTENERS),
  from: rule("a snapshot, as snapshot() returns it", () => true), // parseSnapshot() says what is wrong with it
} satisfies RulesFor<ConversationOptions>;

function isMock(value: unknown): boolean {
  if (!isRecord(value) || typeof value.tool_name !== "string") return false;
  const match = value.input_match_rule ?? { type: "any" };
  return isRecord(match) && (match.type === "any" || (match.type === "partial_match" && isRecord(match.args)));
}

function isPrice(value: unknown): boolean {
  return isRecord(value) && OPTION.fromZero.accepts(value.input) && OPTION.fromZero.accepts(value.output);
}
