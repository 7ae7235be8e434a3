import { isRecord, type JsonObject, jsonOrText, parsedJson, shown } from "../../../src/base/values/mod.ts";
import {
  type AgentEvent,
  type ConnectionError,
  connectionFailure,
  type ReportedToolCall,
} from "../../../src/call/connection/mod.ts";

interface ReadOptions {
  /** Name of the agent in errors. */
  readonly name: string;
  /** Whether the call has no node yet: the first transition names where it began. */
  readonly isAtStart: boolean;
  /** Looks at a tool call, such as for the mock that answered it. */
  readonly count: (call: ReportedToolCall) => ReportedToolCall;
}

/**
 * Reads the new messages of an answer.
 *
 * @throws {ConnectionError} `vendor` for a message that cannot be read.
 */
export function readMessages(messages: readonly JsonObject[], options: ReadOptions): readonly AgentEvent[] {
  const events: AgentEvent[] = [];
  const results = new Map(
    messages.flatMap((message) =>
      message.role === "tool_call_result" ? [[message.tool_call_id, message] as const] : [],
    ),
  );
  let { isAtStart } = options;
  for (const message of messages) {
    const { role, content } = message;
    if (role === "agent") {
      if (typeof content !== "string") throw badMessage(options, message);
      events.push({ kind: "says", text: content });
    } else if (role === "tool_call_invocation") {
      events.push({ kind: "tool", call: toolCall(options, message, results.get(message.tool_call_id)) });
    } else if (role === "node_transition" || role === "state_transition") {
      const [from, to] = [transitionEnd(message, "former"), transitionEnd(message, "new")];
      if (isAtStart && from !== undefined) events.unshift({ kind: "node", node: from });
      if (to === undefined) throw badMessage(options, message);
      events.push({ kind: "node", node: to });
      isAtStart = false;
    }
  }
  return events;
}

function transitionEnd(message: JsonObject, end: "former" | "new"): string | undefined {
  const names = [message[`${end}_node_id`], message[`${end}_state_name`], message[`${end}_node_name`]];
  return names.find(isId);
}

function toolCall(options: ReadOptions, invocation: JsonObject, result: JsonObject | undefined): ReportedToolCall {
  const { name, arguments: text } = invocation;
  const args = typeof text === "string" ? parsedJson(text === "" ? "{}" : text) : (text ?? {});
  if (typeof name !== "string" || !isRecord(args)) throw badMessage(options, invocation);
  const failed = result?.successful === false ? ({ outcome: "failed" } as const) : {};
  const content = result === undefined ? {} : { result: jsonOrText(result.content) };
  return options.count({ name, arguments: args, ...content, ...failed });
}

function badMessage({ name }: ReadOptions, message: JsonObject): ConnectionError {
  return connectionFailure(name, "vendor", `its answer has a message that cannot be read: ${shown(message)}`);
}

function isId(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
