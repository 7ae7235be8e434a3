import { ModelError } from "../../../base/errors.ts";
import {
  type Clock,
  groupOf,
  isRecord,
  OPTION,
  type OptionRules,
  oneOf,
  readableError,
  recordOf,
  rule,
  SYSTEM_CLOCK,
  startTimeLimit,
} from "../../../base/values/mod.ts";
import type { ToolExecute } from "../../../document/graph/mod.ts";
import type { ToolMock } from "../../../document/scenario/mod.ts";
import { CALL_SETTINGS, ruleOf } from "../../../document/settings/mod.ts";
import {
  type CallClock,
  type CallSettings,
  checkedCallClock,
  createCallClock,
  hasPrice,
  type Model,
  type Models,
  modelName,
  type RequestOptions,
} from "../../models/mod.ts";
import type { Budget, BudgetLimits, CallLimits, LiveTools, RecordedTools, ToolStateSource } from "../../turn/mod.ts";
import type { ConversationSnapshot, Listeners, TurnMode } from "../call/mod.ts";

/** Options of `conversation()`. */
export interface ConversationOptions extends SharedOptions {
  /** Only `agent` is used here. */
  readonly models: Pick<Models, "agent">;
  readonly mocks?: readonly ToolMock[];
  /** Tools of a recorded call, which answer before the mocks. Default: none. */
  readonly recordedTools?: RecordedTools;
  /** Callers of `hear` can limit the number and the time of turns themselves. */
  readonly limits?: Pick<CallLimits, "toolTimeoutMs" | "budget">;
  readonly listeners?: Listeners;
  /** Whether queued steering messages reach the model one at a time or all at once. Default: `all`. */
  readonly steering?: "one" | "all";
  /**
   * A snapshot of another call to continue from. The call has the snapshot's variables; `variables` and the graph's
   * defaults are ignored. Pass models, tools, mocks and limits as for any call, and mocks in the same order, because the
   * snapshot counts their uses by their position.
   */
  readonly from?: ConversationSnapshot;
}

/** Options that `conversation()` and `run()` share; a run passes them on to each of its calls as they are. */
export interface SharedOptions {
  /** Dynamic variables of the call. Missing ones have the graph's defaults; a scenario's own override them. */
  readonly variables?: { readonly [name: string]: unknown };
  /** Functions by tool name, for tool calls without a mock; they override the `execute` of the flow's tools. */
  readonly tools?: { readonly [name: string]: ToolExecute };
  /**
   * What the functions of tools read and change, such as the orders of a shop: an object, which is copied for each call,
   * or a function that makes it. It holds JSON. Default: an empty object.
   */
  readonly toolState?: ToolStateSource;
  /** Hosts whose tools may be called by URL when no mock and no function answers. Default: none. */
  readonly liveTools?: LiveTools;
  readonly limits?: CallLimits;
  readonly requests?: RequestOptions;
  /** How a turn calls its models. Default: `split`. */
  readonly turn?: TurnMode;
  /** Clocks of the call. A replayed call uses the date and time of its recording. */
  readonly clock?: Clocks;
  /** Aborts the call. In a run, active calls end as `cancelled`, and finished results stay stored. */
  readonly signal?: AbortSignal;
}

/** The clocks of a call. */
export interface Clocks {
  /** Returns the time of day: for transcripts and the platforms' time variables. Default: the machine's clock. */
  readonly now?: () => Date;
  /** Starts the clock that the time limits of one call use. Default: the machine's, paused while a request waits. */
  readonly startCall?: () => CallClock;
}

/** Whether a value is a valid date, as clocks must return. */
export function isTime(value: unknown): value is Date {
  return value instanceof Date && !Number.isNaN(value.getTime());
}

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
  toolState: rule(
    "an object, or a function that returns one",
    (value) => typeof value === "function" || isRecord(value),
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

/** Default limit of model calls in a turn. It stops a model that keeps calling tools. */
export const DEFAULT_TURN_CALLS = 20;

/**
 * Returns the model, and throws when a cost limit is set but the model's price is unknown: such a limit would never be
 * reached.
 *
 * @throws {ModelError} `missing-price`.
 */
export function priced(model: Model, { limits: { budget } = {}, requests }: SharedOptions): Model {
  const limited = budget?.call?.costUsd !== undefined || budget?.turn?.costUsd !== undefined;
  if (!limited || hasPrice(modelName(model), requests?.prices)) return model;
  throw new ModelError(`Cannot limit the cost: the price of "${modelName(model)}" is unknown`, {
    code: "missing-price",
    path: ["requests", "prices", modelName(model)],
    hint: "Add its price to requests.prices, or limit modelCalls or tokens instead",
  });
}

/**
 * The settings of every model call of one call.
 *
 * @throws {ModelError} `callback-return` when `clock.startCall` does not return a clock.
 */
export function modelCallSettings({ requests, clock }: SharedOptions, { onRetry }: Listeners) {
  const calls = clock?.startCall ? checkedCallClock(clock.startCall()) : createCallClock();
  return {
    ...requests,
    ...(onRetry ? { onRetry: (retry) => onRetry({ retry }) } : {}),
    clock: calls,
  } satisfies CallSettings;
}

/** A callback that threw, or whose promise was rejected or did not settle in time. */
export interface CallbackFailure {
  /** The name of the option, such as `onResult`. */
  readonly name: string;
  readonly error: unknown;
}

/** Calls callbacks so that an error in one of them does not break the run or the conversation. */
export interface CallbackGuard {
  /** Wraps a callback so that it never throws. A promise that it returns is awaited by {@link CallbackGuard.settle}. */
  readonly wrap: <Args extends readonly unknown[]>(
    name: string,
    callback: (...args: Args) => unknown,
  ) => (...args: Args) => void;
  /** Records a failure that was caught elsewhere. */
  readonly fail: (name: string, error: unknown) => void;
  /** Awaits the promises that callbacks returned, up to a limit in milliseconds. Default clock: the machine's. */
  readonly settle: (limitMs: number, timers?: Pick<Clock, "after">) => Promise<void>;
  /** Returns and clears the first failure since the last call. */
  readonly takeFailure: () => CallbackFailure | undefined;
}

/** Creates a guard for one run or conversation. */
export function createCallbackGuard(): CallbackGuard {
  const pending = new Map<Promise<void>, string>();
  let failure: CallbackFailure | undefined;
  const fail = (name: string, error: unknown) => {
    failure ??= { name, error: readableError(error) };
  };
  return {
    wrap:
      (name, callback) =>
      (...args) => {
        try {
          const returned = callback(...args);
          if (!isThenable(returned)) return;
          const pendingReturn: Promise<void> = Promise.resolve(returned).then(
            () => void pending.delete(pendingReturn),
            (error) => {
              pending.delete(pendingReturn);
              fail(name, error);
            },
          );
          pending.set(pendingReturn, name);
        } catch (error) {
          fail(name, error);
        }
      },
    fail,
    settle: async (limitMs, timers = SYSTEM_CLOCK) => {
      if (pending.size === 0) return;
      using limit = startTimeLimit(limitMs, undefined, timers);
      await limit.until(Promise.all(pending.keys())).catch(() => {}); // those that settled are no longer pending
      for (const name of pending.values()) fail(name, new Error(`its promise did not settle within ${limitMs} ms`));
    },
    takeFailure: () => {
      const taken = failure;
      failure = undefined;
      return taken;
    },
  };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
