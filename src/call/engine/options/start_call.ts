import { EngineError } from "../../../base/errors.ts";
import {
  type Clock,
  checkOptions,
  defined,
  dropPromise,
  eitherSignal,
  isRecord,
  shown,
  thrownWords,
} from "../../../base/values/mod.ts";
import { startVariables } from "../../../document/expressions/mod.ts";
import { type AgentGraph, checkEntry, toGraph, toolImplementations } from "../../../document/graph/mod.ts";
import { completeScenario, type ToolMock } from "../../../document/scenario/mod.ts";
import { resolveModel } from "../../models/mod.ts";
import { count, createSteeringQueue, Mocks, startSpending, startToolState } from "../../turn/mod.ts";
import { type CallState, type ConversationSnapshot, type Listeners, tokenArrived } from "../call/mod.ts";
import {
  type CallbackGuard,
  type Clocks,
  CONVERSATION_OPTIONS,
  type ConversationOptions,
  DEFAULT_TURN_CALLS,
  isTime,
  modelCallSettings,
  priced,
} from "./conversation_options.ts";

/** Inputs of a call besides its options. */
interface CallSurroundings {
  readonly callbacks: CallbackGuard;
  /** Aborted when the call is ended from outside. */
  readonly hungUp: AbortSignal;
  /** The call to continue. */
  readonly from: ConversationSnapshot | undefined;
  /** Clock of requests and tools. Absent: the machine's. */
  readonly timers: Clock | undefined;
}

/** The state of a new call: at the graph's entry, or restored from a snapshot. */
export function startCall(
  graph: AgentGraph,
  options: ConversationOptions,
  { callbacks, hungUp, from, timers }: CallSurroundings,
): CallState {
  let agent: ReturnType<typeof resolveModel> | undefined;
  const { signal: outer, limits: { budget } = {} } = options;
  const listeners = guardedCallListeners(options, callbacks, () => tokenArrived(state));
  const calls = { ...modelCallSettings(options, listeners), ...defined({ timers }) };
  const signal = eitherSignal(outer, hungUp);
  const given = from?.toolState ?? options.toolState;
  const state: CallState = {
    graph,
    agent: () => {
      agent ??= resolveModel(options.models.agent).then((model) => priced(model, options));
      return agent;
    },
    sources: {
      recorded: options.recordedTools,
      mocks: new Mocks(completeMocks(options.mocks ?? []), from?.mocksUsed),
      implementations: { ...toolImplementations(graph), ...options.tools },
      state: { value: given === undefined ? {} : startToolState(given), isKnown: true },
      live: options.liveTools,
      limits: options.limits,
      signal,
      timers,
    },
    steering: createSteeringQueue(options.steering, from?.steering),
    budget: { ...budget, turn: { ...budget?.turn, modelCalls: budget?.turn?.modelCalls ?? DEFAULT_TURN_CALLS } },
    spent: startSpending(calls.clock.now, from?.elapsedMs),
    usage: [...(from?.usage ?? [])],
    signal,
    calls,
    turnMode: options.turn ?? "split",
    listeners,
    now: clockOf(options.clock),
    variables: from ? new Map(Object.entries(from.variables)) : startVariables(graph, options.variables ?? {}),
    transcript: [...(from?.transcript ?? [])],
    nodesVisited: [...(from?.nodesVisited ?? [graph.entry_node_id])],
    toolsCalled: [...(from?.toolsCalled ?? [])],
    latency: [...(from?.latency ?? [])],
    originators: [...(from?.originators ?? [])],
    at: from?.nodeId ?? graph.entry_node_id,
    enteredAt: from?.enteredAt ?? 0,
    spokenHere: from?.spokenHere ?? false,
    replyAhead: undefined,
    timer: undefined,
    hops: 0,
    evaluated: from?.evaluated ?? [],
    endReason: from?.endReason,
    endDetail: from?.endDetail,
  };
  for (const usage of state.usage) count(state.spent, usage);
  return state;
}

/**
 * Reads a graph and checks its entry node. Other unknown targets throw when a call reaches them, so that the rest of an
 * imported agent can be tried.
 *
 * @throws {GraphError} `not-a-graph`, `unknown-entry`.
 */
export function callableGraph(source: AgentGraph): AgentGraph {
  const action = "Cannot start a call";
  const graph = toGraph(source, action);
  checkEntry(graph, action);
  return graph;
}

/** @throws {EngineError} `missing-model`, `invalid-option`. */
export function checkConversationOptions(options: unknown): void {
  checkOptions(options, CONVERSATION_OPTIONS, EngineError, "Cannot start a call", { open: false });
  if (isRecord(options) && isRecord(options.models) && options.models.agent) return;
  throw new EngineError("Cannot start a call: there is no model for the agent", {
    code: "missing-model",
    path: ["models", "agent"],
    hint: 'Pass { models: { agent: "offline" } }, a "provider/model" or a model of the AI SDK',
  });
}

/** Fills in optional keys of mocks. */
function completeMocks(mocks: readonly ToolMock[]): readonly ToolMock[] {
  return completeScenario({ name: "", tool_mocks: mocks }).tool_mocks;
}

/** @throws {EngineError} `invalid-option`. */
export function checkWords(text: unknown, action: string): void {
  if (typeof text === "string") return;
  const hint = "Pass a string";
  throw new EngineError(`${action}: the text is ${shown(text)}`, { code: "invalid-option", hint });
}

/**
 * Wraps a call's listeners so that they never throw. With `requests.stream` tokens arrive without a listener for them.
 *
 * @param onArrival Called before each token of a reply.
 */
function guardedCallListeners(
  { listeners = {}, requests }: Pick<ConversationOptions, "listeners" | "requests">,
  { wrap }: CallbackGuard,
  onArrival: () => void,
): Listeners {
  const { onToken, onMessage, onTool, onRetry } = listeners;
  const deliverToken = onToken ? wrap("onToken", onToken) : requests?.stream ? () => {} : undefined;
  return {
    ...(deliverToken
      ? {
          onToken: (event) => {
            onArrival();
            deliverToken(event);
          },
        }
      : {}),
    ...(onMessage ? { onMessage: wrap("onMessage", onMessage) } : {}),
    ...(onTool ? { onTool: wrap("onTool", onTool) } : {}),
    ...(onRetry ? { onRetry: wrap("onRetry", onRetry) } : {}),
  };
}

/**
 * Wraps the clock of a call to check the times that it returns.
 *
 * @throws {EngineError} From the returned function: `callback-return`.
 */
function clockOf({ now }: Clocks = {}): () => Date {
  if (!now) return () => new Date();
  return () => {
    const time: unknown = now();
    if (isTime(time)) return time;
    dropPromise(time);
    throw new EngineError(`Cannot continue the call: now() returned ${shown(time)}`, {
      code: "callback-return",
      path: ["clock", "now"],
      hint: "Return a Date, such as new Date()",
    });
  };
}

/**
 * Throws the error of a listener that failed, after the turn.
 *
 * @throws {EngineError} `callback-failed`.
 */
export function throwFailure(guard: CallbackGuard): void {
  const failure = guard.takeFailure();
  if (!failure) return;
  const { name, error } = failure;
  throw new EngineError(`Cannot notify ${name} of the turn: it failed: ${thrownWords(error)}`, {
    code: "callback-failed",
    path: [name],
    hint: `Fix ${name}; the turn is over and the call can continue`,
    cause: error,
  });
}
