import { isRecord, jsonOrText, parsedJson, shown } from "../../../src/base/values/mod.ts";
import { connectionFailure, type ReportedToolCall } from "../../../src/call/connection/mod.ts";
import type { SessionItem } from "./messages.ts";

/**
 * A tool call with its result.
 *
 * @param agent Name of the agent in errors.
 * @throws {ConnectionError} `vendor` for arguments that cannot be read.
 */
export function toolCall(
  agent: string,
  { name, arguments: text }: Extract<SessionItem, { readonly kind: "call" }>,
  result: Extract<SessionItem, { readonly kind: "result" }> | undefined,
): ReportedToolCall {
  const args = parsedJson(text === "" ? "{}" : text);
  if (name === "" || !isRecord(args))
    throw connectionFailure(agent, "vendor", `it reports a tool call that cannot be read: ${shown({ name, text })}`);
  if (result === undefined) return { name, arguments: args };
  const outcome = result.isError ? ({ outcome: "failed" } as const) : {};
  return { name, arguments: args, result: jsonOrText(result.output) ?? null, ...outcome };
}
