import { isRecord, type JsonObject, parsedJson, recordAt, records, shown } from "../../../src/base/values/mod.ts";
import type {
  AgentEvent,
  AgentTurn,
  ConnectionError,
  ConnectionFailure,
  MockedTools,
} from "../../../src/call/connection/mod.ts";
import { resultText } from "../../../src/call/turn/mod.ts";

/** What answers the functions of a session. */
export interface OutputOptions {
  readonly mocks: MockedTools;
  /** Names of functions that end the call. */
  readonly ends: readonly string[];
  /** Names of functions that transfer the call. */
  readonly transfers: readonly string[];
}

/** Responses of one turn: a model that only calls functions does not come to its words. */
export const MOST_RESPONSES = 20;

/** Makes the error of a session. */
export type Fail = (kind: ConnectionFailure, words: string) => ConnectionError;

/** Tokens of a response; `undefined` if it does not say how many. */
export function tokensOf(response: JsonObject): { readonly input: number; readonly output: number } | undefined {
  const { input_tokens: input, output_tokens: output } = recordAt(response, "usage");
  return typeof input === "number" && typeof output === "number" ? { input, output } : undefined;
}

/** A response that failed, or was cut off, has not what the agent would have said. */
export function refuseBroken({ status, status_details: details }: JsonObject, fail: Fail): void {
  if (status === "completed") return;
  const { reason, error } = isRecord(details) ? details : {};
  if (isRecord(error)) throw faultOf(error, fail);
  throw fail("vendor", `its response is ${shown(status)}${typeof reason === "string" ? `: ${reason}` : ""}`);
}

/** What a response has besides its state. */
export interface Output {
  readonly events: readonly AgentEvent[];
  /** Items with the answers of functions. */
  readonly answers: readonly JsonObject[];
  readonly ended: AgentTurn["ended"];
}

/** Reads the items of a response, and answers its functions. */
export function takeOutput(items: readonly JsonObject[], options: OutputOptions, fail: Fail): Output {
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

function endOf(name: string, { ends, transfers }: OutputOptions): AgentTurn["ended"] {
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

/** The error of a session that reports one. */
export function faultOf({ code, type, message }: JsonObject, fail: Fail): ConnectionError {
  const words = [code, message].filter((word) => typeof word === "string" && word !== "").join(": ");
  return fail(KINDS.get(code) ?? KINDS.get(type) ?? "vendor", `it reports ${words || shown(type)}`);
}
