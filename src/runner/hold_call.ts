import { setImmediate as nextTask } from "node:timers/promises";
import type { Caller } from "../callers/mod.ts";
import {
  type Conversation,
  type ConversationOptions,
  conversation,
  type SharedOptions,
  type Turn,
} from "../engine/mod.ts";
import { ModelError } from "../errors.ts";
import type { AgentGraph } from "../graph/mod.ts";
import type { HeldCall } from "../judges/mod.ts";
import { type CallClock, type CallUsage, type HistoryLine, type Model, untilAborted } from "../models/mod.ts";
import type { Message } from "../transcript/mod.ts";
import { readableError, thrownWords } from "../values/mod.ts";
import { watchSilence } from "./dead_air.ts";
import { createModelWatch } from "./model_watch.ts";
import { DEFAULT_MAX_TURNS, DEFAULT_TURN_TIMEOUT_MS } from "./options.ts";

/** The two sides of a call, and the options of its conversation. */
export interface CallSetup {
  readonly agent: Model;
  readonly caller: Caller;
  /** The call's own, shared by both sides. */
  readonly clock: CallClock;
  /** Passed on to the conversation, apart from what the call adds. */
  readonly options: SharedOptions & Pick<ConversationOptions, "mocks" | "listeners">;
  readonly onTurn: (messages: readonly Message[]) => void;
}

/** A call that is over, or that broke off. */
export interface Call extends HeldCall {
  readonly turnCount: number;
  readonly usage: readonly CallUsage[];
  /** What a model, a caller or the harness threw; also a model that a turn has waited for until its time was up. */
  readonly error: unknown;
}

/** Holds one call: the agent opens, then caller and agent take turns until one of them, a limit or the signal ends it. */
export async function holdCall(graph: AgentGraph, setup: CallSetup): Promise<Call> {
  const { agent, caller, clock, options } = setup;
  const { limits: { maxTurns = DEFAULT_MAX_TURNS, turnTimeoutMs = DEFAULT_TURN_TIMEOUT_MS } = {}, signal: outer } =
    options;
  // one signal for the call: it falls when the run is aborted and when a turn takes too long
  const controller = new AbortController();
  const signal = outer ? AbortSignal.any([outer, controller.signal]) : controller.signal;
  const callerUsage: CallUsage[] = [];
  const watch = createModelWatch(clock);
  const call = conversation(graph, {
    ...options,
    models: { agent },
    requests: { ...options.requests, within: [...(options.requests?.within ?? []), watch.middleware] },
    clock: { ...options.clock, startCall: () => clock },
    signal,
  });
  let error: unknown;
  const takeTurn = async (turn: () => Promise<Turn>): Promise<Turn | undefined> => {
    const callOff = clock.after(turnTimeoutMs, () => {
      if (watch.waitingMs() > turnTimeoutMs / 2) error = silentModel(turnTimeoutMs);
      call.end("turn_timeout", `a turn took longer than ${turnTimeoutMs} ms`);
      controller.abort();
    });
    try {
      const taken = await untilAborted(turn(), signal);
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
  let turnCount = 0;
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
        const answer = await takeTurn(() => call.hear(say));
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
  await nextTask(); // requests that were given up a moment ago have been counted by then
  return { ...snapshot(call), turnCount, usage: [...call.usage, ...callerUsage], error };
}

/** Most of a turn was spent waiting for one answer: that is not the agent's doing. */
function silentModel(timeoutMs: number): ModelError {
  return new ModelError(`Cannot finish the turn: the model did not answer within the ${timeoutMs} ms of a turn`, {
    code: "model-timeout",
    hint: "Try again, use a faster model or raise limits.turnTimeoutMs",
  });
}

/** What was said so far, for whoever plays the caller. */
function heard(call: Conversation): readonly HistoryLine[] {
  return call.transcript.flatMap(({ role, content }) =>
    role === "user" || role === "assistant" ? [{ role, content }] : [],
  );
}

/** Copies the lists: a turn that timed out may still be writing to the call's own. */
function snapshot(call: Conversation): HeldCall {
  return {
    transcript: [...call.transcript],
    nodesVisited: [...call.nodesVisited],
    toolsCalled: [...call.toolsCalled],
    variables: call.variables,
    endReason: call.endReason,
    endDetail: call.endDetail,
  };
}
