import { ModelError } from "../errors.ts";
import { textOf } from "../expressions/mod.ts";
import type { AgentGraph, ToolExecute } from "../graph/mod.ts";
import {
  type CallSettings,
  createCallClock,
  hasPrice,
  heldCallClock,
  type Model,
  type Models,
  modelName,
} from "../models/mod.ts";
import type { ToolMock } from "../scenario/mod.ts";
import type { Budget, LiveTools } from "../turn/mod.ts";
import type { Listeners, TurnMode } from "./call_state.ts";

/** What a conversation is held with. */
export interface ConversationOptions extends CallSettings, Listeners {
  /** Only `agent` is used here. */
  readonly models: Pick<Models, "agent">;
  /** Dynamic variables of the call; the graph's defaults stand in for what is not given. */
  readonly variables?: { readonly [name: string]: unknown };
  readonly mocks?: readonly ToolMock[];
  /** Functions by tool name, for calls that no mock answers; they go before those that the flow's tools came with. */
  readonly tools?: { readonly [name: string]: ToolExecute };
  /** Addresses of tools that may be called where neither a mock nor a function answers. Default: none. */
  readonly liveTools?: LiveTools;
  /** Of one call of a tool, in milliseconds. Default: 30,000. */
  readonly toolTimeoutMs?: number;
  /** Default: 20 model calls a turn. */
  readonly budget?: Budget;
  readonly signal?: AbortSignal;
  /** How a turn asks its models. Default: `split`. */
  readonly turn?: TurnMode;
  /** Whether waiting steering messages reach the model one at a time or all at once. Default: `all`. */
  readonly steering?: "one" | "all";
  /** Clock of the transcript. Default: the machine's. */
  readonly now?: () => Date;
}

/** Model calls that a turn may make unless its budget says otherwise: a model that calls tools for ever is stopped. */
export const DEFAULT_TURN_CALLS = 20;

/**
 * The model, if its cost can be counted or does not matter: one that nobody can count must not look like one that was
 * never reached.
 *
 * @throws {ModelError} `missing-price`.
 */
export function priced(model: Model, { budget, prices }: Pick<ConversationOptions, "budget" | "prices">): Model {
  const limited = budget?.call?.costUsd !== undefined || budget?.turn?.costUsd !== undefined;
  if (!limited || hasPrice(modelName(model), prices)) return model;
  throw new ModelError(`Cannot keep to a cost: the price of "${modelName(model)}" is not known`, {
    code: "missing-price",
    path: ["prices", modelName(model)],
    hint: "Add its price to prices, or limit modelCalls or tokens instead",
  });
}

/** What of the options holds for every model call. */
export function settingsOf({ timeoutMs, retry, onRetry, around, within, clock, prices }: ConversationOptions) {
  return {
    ...(timeoutMs ? { timeoutMs } : {}),
    ...(retry ? { retry } : {}),
    ...(onRetry ? { onRetry } : {}),
    ...(around ? { around } : {}),
    ...(within ? { within } : {}),
    clock: clock ? heldCallClock(clock) : createCallClock(),
    ...(prices ? { prices } : {}),
  } satisfies CallSettings;
}

/**
 * The variables that a call starts with, as text.
 *
 * @throws {EngineError} `invalid-option`, for a value that JSON cannot hold.
 */
export function startVariables(graph: AgentGraph, given: { readonly [name: string]: unknown }): Map<string, string> {
  const variables = new Map<string, string>();
  for (const source of [graph.source_metadata.default_dynamic_variables ?? {}, given])
    for (const [name, value] of Object.entries(source)) {
      const text = textOf(value, name);
      if (text !== undefined) variables.set(name, text);
    }
  return variables;
}
