import { defined } from "../../../src/base/values/mod.ts";
import type { AgentSocket, AgentTurn, ConnectionRecord } from "../../../src/call/connection/mod.ts";
import { addCall, type BotNames, endingOf, failOf, flush, readMessage, startState } from "./messages.ts";

/** The messages of a bot, as turns. */
export interface BotTurns {
  /** Waits until the bot can be talked to. What it says before that is a part of its first turn. */
  ready(): Promise<void>;
  /** What has arrived since the last turn. It does not wait for more. */
  waiting(): Promise<AgentTurn>;
  /**
   * The next turn: the opening, or the reply to the caller. It is over with an answer of the model in which no function is
   * called, when all functions have returned: after an answer that calls one, another answer follows, also if the function
   * returns before the answer is complete. An answer that the bot completes before it reports the caller's words is not
   * the reply.
   */
  next(reply: "opening" | "reply"): Promise<AgentTurn>;
  /** Waits until the bot ends the call, and returns how, with all functions that it has called. */
  end(signal: AbortSignal): Promise<Pick<ConnectionRecord, "ended" | "toolsCalled">>;
}

interface TurnsOptions extends BotNames {
  readonly signal: AbortSignal;
  /** Names of functions that transfer the call. */
  readonly transfers: readonly string[];
}

/** Reads the messages of a bot. */
export function startTurns(socket: AgentSocket, options: TurnsOptions): BotTurns {
  const { signal } = options;
  const state = startState();
  const fail = failOf(options);
  const ending = (): AgentTurn["ended"] => endingOf(state, options.transfers);
  const read = async (): Promise<boolean> => {
    const message = await socket.receiveJson({ signal });
    if (message) readMessage(state, message, fail);
    return message !== undefined;
  };
  const taken = (isEnded: boolean): AgentTurn => {
    if (isEnded || state.isOver) flush(state);
    // a function that transfers or hangs up does not return
    if (isEnded) {
      for (const call of state.running.values()) addCall(state, call);
      state.running.clear();
    }
    const { events } = state;
    state.events = [];
    return { events, ...defined({ ended: isEnded ? ending() : undefined }) };
  };
  return {
    ready: async () => {
      while (!state.isReady) {
        if (!(await read())) throw fail("vendor", "it closed the connection before it was ready");
      }
    },
    waiting: async () => {
      while (socket.waiting > 0) await read();
      const isEnded = !socket.isOpen && !(await read());
      // the caller's words interrupt what it was doing
      flush(state);
      for (const [id, call] of state.running) state.earlier.set(id, call);
      state.running.clear();
      Object.assign(state, { isAnswering: false, calls: false, announced: 0, isOver: false, error: undefined });
      return taken(isEnded);
    },
    next: async (kind) => {
      if (kind === "reply") state.isHeard = false;
      while (!state.isOver) if (!(await read())) return taken(true);
      const turn = taken(false);
      // silence of an agent would be judged, and this is a fault of what it runs on
      if (turn.events.length === 0 && state.error !== undefined) throw fail("vendor", `it reports: ${state.error}`);
      return turn;
    },
    end: async (until) => {
      for (;;) {
        const message = await socket.receiveJson({ signal: until });
        if (!message) break;
        readMessage(state, message, fail);
      }
      taken(true);
      return { ended: ending(), toolsCalled: state.called };
    },
  };
}
