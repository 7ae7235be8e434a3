import { setImmediate as nextTask } from "node:timers/promises";
import { ModelError } from "../../../base/errors.ts";
import { type Clock, eitherSignal, readableError, thrownWords, untilAborted } from "../../../base/values/mod.ts";
import type { Caller } from "../../../call/callers/mod.ts";
import { Conversation, type ConversationOptions, type SharedOptions, type Turn } from "../../../call/engine/mod.ts";
import type { JudgedCall } from "../../../call/judges/mod.ts";
import type { CallClock, CallUsage, HistoryLine, Model } from "../../../call/models/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import type { Message } from "../../../document/transcript/mod.ts";
import { DEFAULT_MAX_TURNS, DEFAULT_TURN_TIMEOUT_MS } from "../options/mod.ts";
import { inTurnSpan, type RunSpans } from "./call_spans.ts";
import { watchSilence } from "./dead_air.ts";
import { createModelWatch } from "./model_watch.ts";

/** Agent model, caller and conversation options of one call. */
export interface CallSetup {
  readonly agent: Model;
  readonly caller: Caller;
  /** Clock of this call, shared by agent and caller. */
  readonly clock: CallClock;
  /** Clock of requests and tools. Absent: the machine's. */
  readonly timers?: Clock | undefined;
  /** Options passed to the conversation. */
  readonly options: SharedOptions & Pick<ConversationOptions, "mocks" | "recordedTools" | "listeners">;
  readonly onTurn: (messages: readonly Message[]) => void;
  /** The run's OpenTelemetry spans; absent when telemetry is off. */
  readonly spans?: RunSpans;
}

/** A finished or interrupted call. */
export interface EngineCall extends JudgedCall {
  readonly turnCount: number;
  readonly usage: readonly CallUsage[];
  /** Error of a model, the caller or the runner. Also set when a turn timed out while waiting for a model. */
  readonly error: unknown;
}

/** Runs one call: the agent opens, then caller and agent alternate until one of them, a limit or the signal ends it. */
export async function runCall(graph: AgentGraph, setup: CallSetup): Promise<EngineCall> {
  const { agent, caller, clock, timers, options } = setup;
  const { limits: { maxTurns = DEFAULT_MAX_TURNS, turnTimeoutMs = DEFAULT_TURN_TIMEOUT_MS } = {}, signal: outer } =
    options;
  // one signal per call, aborted when the run is aborted or a turn times out
  const controller = new AbortController();
  const signal = eitherSignal(outer, controller.signal);
  const callerUsage: CallUsage[] = [];
  const watch = createModelWatch(clock);
  const requests = { ...options.requests, within: [...(options.requests?.within ?? []), watch.middleware] };
  const clocks = { ...options.clock, startCall: () => clock };
  const call = new Conversation(graph, { ...options, models: { agent }, requests, clock: clocks, signal }, timers);
  let error: unknown;
  let turnCount = 0;
  const takeTurn = async (turn: () => Promise<Turn>, said?: string): Promise<Turn | undefined> => {
    const callOff = clock.after(turnTimeoutMs, () => {
      if (watch.waitingMs() > turnTimeoutMs / 2) error = silentModel(turnTimeoutMs);
      call.end("turn_timeout", `a turn took longer than ${turnTimeoutMs} ms`);
      controller.abort();
    });
    try {
      const taken = await untilAborted(inTurnSpan(setup.spans, turnCount, said, turn), signal);
      setup.onTurn(taken.messages);
      return taken;
    } catch (error) {
      if (!signal.aborted) throw error;
      call.end("aborted", "the run was cancelled");
      return undefined;
    } finally {
      callOff();
    }
  };

  const silence = watchSilence(graph);
  try {
    signal.throwIfAborted();
    await takeTurn(() => call.open());
    while (!call.ended) {
      if (!(turnCount < maxTurns)) {
        call.end("max_turns", `the caller has taken ${maxTurns} turns`);
        break;
      }
      const onUsage = (usage: CallUsage) => void callerUsage.push(usage);
      const move = await untilAborted(caller.next(heard(call), { signal, onUsage }), signal);
      const { say } = move;
      if (say !== undefined) {
        turnCount += 1;
        const answer = await takeTurn(() => call.hear(say), say);
        const deadAir = answer && silence.answered({ ...answer, variables: call.variables });
        if (deadAir !== undefined) call.end("dead_air", deadAir);
      }
      if (move.hangUp) call.end(move.hangUp);
    }
  } catch (thrown) {
    if (signal.aborted) call.end("aborted", "the run was cancelled");
    else {
      error = readableError(thrown) ?? new Error(`${thrown} was thrown`);
      call.end("failed", thrownWords(error));
    }
  }
  await nextTask(); // lets aborted requests add their usage
  return { ...snapshot(call), turnCount, usage: [...call.usage, ...callerUsage], error };
}

/** Error for a turn that timed out mostly because the model did not answer. */
function silentModel(timeoutMs: number): ModelError {
  return new ModelError(`Cannot finish the turn: the model did not answer within the ${timeoutMs} ms of a turn`, {
    code: "model-timeout",
    hint: "Try again, use a faster model or raise limits.turnTimeoutMs",
  });
}

/** Messages so far, as the caller's model receives them. */
function heard(call: Conversation): readonly HistoryLine[] {
  return call.transcript.flatMap(({ role, content }) =>
    role === "user" || role === "assistant" ? [{ role, content }] : [],
  );
}

/** Copies the lists, because a turn that timed out may still append to the originals. */
function snapshot(call: Conversation): JudgedCall {
  return {
    transcript: [...call.transcript],
    nodesVisited: [...call.nodesVisited],
    toolsCalled: [...call.toolsCalled],
    variables: call.variables,
    endReason: call.endReason,
    endDetail: call.endDetail,
    latency: [...call.latency],
  };
}
