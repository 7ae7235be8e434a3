import {
  defined,
  isRecord,
  type JsonObject,
  parsedJson,
  recordAt,
  records,
  shorten,
  shown,
} from "../../../src/base/values/mod.ts";
import {
  type AgentClient,
  type AgentEvent,
  type AgentSocket,
  type AgentTurn,
  type ConnectionError,
  type ConnectionFailure,
  connectionFailure,
  type MockedTools,
} from "../../../src/call/connection/mod.ts";
import { resultText } from "../../../src/call/turn/mod.ts";

/** The responses of a session, as turns. */
export interface Responses {
  /** Sets the session up, and returns its id. */
  configure(session: JsonObject): Promise<string | undefined>;
  /** Asks for the agent's turn: a response, and after calls of functions another one. */
  next(): Promise<AgentTurn>;
  /** Tokens of all responses; `undefined` if one of them did not say how many. */
  readonly usage: { readonly input: number; readonly output: number } | undefined;
}

interface ResponsesOptions {
  readonly name: string;
  readonly client: Pick<AgentClient, "withoutSecrets">;
  readonly signal: AbortSignal;
  readonly mocks: MockedTools;
  readonly ends: readonly string[];
  readonly transfers: readonly string[];
}

/** Responses of one turn: a model that only calls functions does not come to its words. */
const MOST_RESPONSES = 20;

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

type Fail = (kind: ConnectionFailure, words: string) => ConnectionError;

/** Tokens of a response; `undefined` if it does not say how many. */
function tokensOf(response: JsonObject): { readonly input: number; readonly output: number } | undefined {
  const { input_tokens: input, output_tokens: output } = recordAt(response, "usage");
  return typeof input === "number" && typeof output === "number" ? { input, output } : undefined;
}

/** A response that failed, or was cut off, has not what the agent would have said. */
function refuseBroken({ status, status_details: details }: JsonObject, fail: Fail): void {
  if (status === "completed") return;
  const { reason, error } = isRecord(details) ? details : {};
  if (isRecord(error)) throw faultOf(error, fail);
  throw fail("vendor", `its response is ${shown(status)}${typeof reason === "string" ? `: ${reason}` : ""}`);
}

interface Output {
  readonly events: readonly AgentEvent[];
  /** Items with the answers of functions. */
  readonly answers: readonly JsonObject[];
  readonly ended: AgentTurn["ended"];
}

function takeOutput(items: readonly JsonObject[], options: ResponsesOptions, fail: Fail): Output {
  const events: AgentEvent[] = [];
  const answers: JsonObject[] = [];
  let ended: AgentTurn["ended"];
  for (const item of items) {
    if (item.type === "message") {
      for (const part of records(item.content)) events.push(...wordsOf(part));
    } else if (item.type === "function_call") {
      const { name, call_id: id, arguments: text } = item;
      const args = typeof text === "string" ? parsedJson(text === "" ? "{}" : text) : undefined;
      if (typeof name !== "string" || typeof id !== "string" || !isRecord(args))
        throw fail("vendor", `it called a function without a name, an id or arguments in JSON: ${shown(item)}`);
      const end = endOf(name, options);
      const answer = options.mocks.answer(name, args) ?? unmocked(name, end !== undefined);
      events.push({ kind: "tool", call: { name, arguments: args, ...answer } });
      answers.push({ type: "function_call_output", call_id: id, output: resultText(answer.result) });
      if (answer.outcome === "succeeded") ended ??= end;
    }
  }
  return { events, answers, ended };
}

function endOf(name: string, { ends, transfers }: ResponsesOptions): AgentTurn["ended"] {
  if (transfers.includes(name)) return "agent_transferred";
  return ends.includes(name) ? "agent_ended" : undefined;
}

function unmocked(name: string, ends: boolean) {
  if (ends) return { outcome: "succeeded", result: null, mocked: false } as const;
  return { outcome: "failed", result: `tool "${name}" has no mock`, mocked: false } as const;
}

/** The words of a part of a message; the transcript, should the model have spoken. */
function wordsOf({ text, transcript }: JsonObject): readonly AgentEvent[] {
  const words = text ?? transcript;
  return typeof words === "string" && words.trim() !== "" ? [{ kind: "says", text: words }] : [];
}

/** Kinds of errors by their codes and types. */
const KINDS: ReadonlyMap<unknown, ConnectionFailure> = new Map([
  ["invalid_api_key", "key"],
  ["authentication_error", "key"],
  ["permission_error", "key"],
  ["insufficient_quota", "payment"],
  ["model_not_found", "unknown-agent"],
  ["rate_limit_exceeded", "throttled"],
  ["rate_limit_error", "throttled"],
  ["invalid_request_error", "refused"],
]);

function faultOf({ code, type, message }: JsonObject, fail: Fail): ConnectionError {
  const words = [code, message].filter((word) => typeof word === "string" && word !== "").join(": ");
  return fail(KINDS.get(code) ?? KINDS.get(type) ?? "vendor", `it reports ${words || shown(type)}`);
}
