import { defined, type JsonObject, recordAt, records, shorten } from "../../../src/base/values/mod.ts";
import {
  type AgentClient,
  type AgentEvent,
  type AgentSocket,
  type AgentTurn,
  connectionFailure,
} from "../../../src/call/connection/mod.ts";
import {
  type Fail,
  faultOf,
  MOST_RESPONSES,
  type OutputOptions,
  refuseBroken,
  takeOutput,
  tokensOf,
} from "./output.ts";

/** The responses of a session, as turns. */
export interface Responses {
  /** Sets the session up, and returns its id. */
  configure(session: JsonObject): Promise<string | undefined>;
  /** Asks for the agent's turn: a response, and after calls of functions another one. */
  next(): Promise<AgentTurn>;
  /** Tokens of all responses; `undefined` if one of them did not say how many. */
  readonly usage: { readonly input: number; readonly output: number } | undefined;
}

interface ResponsesOptions extends OutputOptions {
  readonly name: string;
  readonly client: Pick<AgentClient, "withoutSecrets">;
  readonly signal: AbortSignal;
}

/** Reads the responses of a session. */
export function startResponses(socket: AgentSocket, options: ResponsesOptions): Responses {
  const { name, client, signal } = options;
  const fail: Fail = (kind, words) => connectionFailure(name, kind, shorten(client.withoutSecrets(words), 300));
  let tokens: { readonly input: number; readonly output: number } | undefined = { input: 0, output: 0 };
  /** The next message of a type. An error in place of it is thrown. */
  const wait = async (type: string, other?: (message: JsonObject) => void): Promise<JsonObject> => {
    for (;;) {
      const message = await socket.receiveJson({ signal });
      if (!message) throw fail("ended-early", "it ended the session in the middle of the call");
      if (message.type === "error") throw faultOf(recordAt(message, "error"), fail);
      if (message.type === type) return message;
      other?.(message);
    }
  };
  return {
    get usage() {
      return tokens;
    },
    configure: async (session) => {
      const created = await wait("session.created");
      socket.send({ type: "session.update", session });
      await wait("session.updated");
      const { id } = recordAt(created, "session");
      return typeof id === "string" ? id : undefined;
    },
    next: async () => {
      const events: AgentEvent[] = [];
      for (let count = 1; count <= MOST_RESPONSES; count++) {
        socket.send({ type: "response.create" });
        const items: JsonObject[] = [];
        const done = await wait("response.done", (message) => {
          if (message.type === "response.output_item.done") items.push(recordAt(message, "item"));
        });
        const response = recordAt(done, "response");
        const used = tokensOf(response);
        tokens = tokens && used && { input: tokens.input + used.input, output: tokens.output + used.output };
        refuseBroken(response, fail);
        const output = records(response.output);
        const taken = takeOutput(output.length > 0 ? output : items, options, fail);
        events.push(...taken.events);
        for (const answer of taken.answers) socket.send({ type: "conversation.item.create", item: answer });
        if (taken.ended || taken.answers.length === 0) return { events, ...defined({ ended: taken.ended }) };
      }
      throw fail("vendor", `it only calls functions, ${MOST_RESPONSES} times in a turn`);
    },
  };
}
