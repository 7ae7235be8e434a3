import { setImmediate as nextTask } from "node:timers/promises";
import { defined, startTimeLimit } from "../../../src/base/values/mod.ts";
import type { AgentSocket, AgentTurn } from "../../../src/call/connection/mod.ts";
import { type Conversation, type MessagesOptions, readMessage, say, startConversation } from "./messages.ts";

/** The messages of a conversation, as turns. */
export interface ConversationTurns {
  /** Waits for the beginning of the conversation, and returns its id. */
  ready(): Promise<string>;
  /** What has arrived since the last turn. It does not wait for more. */
  waiting(): Promise<AgentTurn>;
  /**
   * The next turn. It is over when the agent has spoken, no tool call is open, the last one was followed by words, and
   * then nothing comes for `settleMs`: the platform does not say whether a reply goes on. Messages that have arrived are
   * read before that is decided, so that a busy machine waits longer, and never less. An `agent_response_complete` ends
   * nothing: whether it comes before a tool, too, is not documented.
   */
  next(): Promise<AgentTurn>;
  /** Tools that mocks of the scenario have answered. */
  readonly answered: ReadonlySet<string>;
}

interface TurnsOptions extends MessagesOptions {
  readonly signal: AbortSignal;
  readonly settleMs: number;
}

/** Reads the messages of a conversation. */
export function startTurns(socket: AgentSocket, options: TurnsOptions): ConversationTurns {
  const { signal, settleMs } = options;
  const state = startConversation(socket, options);
  const read = async (until = signal): Promise<boolean> => {
    const message = await socket.receiveJson({ signal: until });
    if (message) readMessage(state, message);
    return message !== undefined;
  };
  const taken = (isEnded: boolean): AgentTurn => {
    for (const text of state.parts.values()) say(state, text);
    const { events, isTransferred } = state;
    const reset = { events: [], isSpeaking: false, hasSpoken: false, needsWords: false };
    Object.assign(state, reset);
    state.parts.clear();
    state.open.clear();
    const ended = isTransferred ? ("agent_transferred" as const) : ("agent_ended" as const);
    return { events, ...defined({ ended: isEnded ? ended : undefined }) };
  };
  return {
    answered: state.answered,
    ready: async () => {
      while (state.conversationId === undefined)
        if (!(await read())) throw state.fail("vendor", "it closed the conversation before it began");
      return state.conversationId;
    },
    waiting: async () => {
      while (socket.waiting > 0) await read();
      return taken(!socket.isOpen && !(await read()));
    },
    next: async () => {
      for (;;) {
        if (!isSettling(state)) {
          if (!(await read())) return taken(true);
        } else {
          using limit = startTimeLimit(settleMs, signal);
          try {
            if (!(await read(limit.signal))) return taken(true);
          } catch (error) {
            if (!limit.expired()) throw error;
            // on a busy machine, the timer comes before messages that have arrived
            await nextTask();
            if (socket.waiting === 0 && socket.isOpen) return taken(false);
          }
        }
      }
    },
  };
}

/** Whether the turn is over if nothing more comes. */
function isSettling({ isSpeaking, hasSpoken, needsWords, open }: Conversation): boolean {
  return hasSpoken && !isSpeaking && !needsWords && open.size === 0;
}
