import { type Clock, defined, eitherSignal } from "../../../base/values/mod.ts";
import { startVariables } from "../../../document/expressions/mod.ts";
import { type AgentGraph, toolImplementations } from "../../../document/graph/mod.ts";
import { resolveModel } from "../../models/mod.ts";
import { count, createSteeringQueue, Mocks, startSpending } from "../../turn/mod.ts";
import type { CallState, ConversationSnapshot } from "../call/mod.ts";
import { tokenArrived } from "../call/mod.ts";
import type { CallbackGuard } from "./callback_guard.ts";
import { clockOf, guardedCallListeners } from "./conversation_callbacks.ts";
import { completeMocks } from "./conversation_input.ts";
import { type ConversationOptions, DEFAULT_TURN_CALLS, modelCallSettings, priced } from "./conversation_options.ts";

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
