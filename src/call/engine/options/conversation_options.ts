import { ModelError } from "../../../base/errors.ts";
import type { ToolExecute } from "../../../document/graph/mod.ts";
import type { ToolMock } from "../../../document/scenario/mod.ts";
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
import type { CallLimits, LiveTools, RecordedTools } from "../../turn/mod.ts";
import type { ConversationSnapshot, Listeners, TurnMode } from "../call/mod.ts";

/** The clocks of a call. */
export interface Clocks {
  /** Returns the time of day: for transcripts and the platforms' time variables. Default: the machine's clock. */
  readonly now?: () => Date;
  /** Starts the clock that the time limits of one call use. Default: the machine's, paused while a request waits. */
  readonly startCall?: () => CallClock;
}

/** Options that `conversation()` and `run()` share; a run passes them on to each of its calls as they are. */
export interface SharedOptions {
  /** Dynamic variables of the call. Missing ones have the graph's defaults; a scenario's own override them. */
  readonly variables?: { readonly [name: string]: unknown };
  /** Functions by tool name, for tool calls without a mock; they override the `execute` of the flow's tools. */
  readonly tools?: { readonly [name: string]: ToolExecute };
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
