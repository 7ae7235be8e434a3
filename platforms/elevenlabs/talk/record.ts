import {
  backoffMs,
  defined,
  isRecord,
  type JsonObject,
  jsonOrText,
  parsedJson,
  recordAt,
  records,
  SYSTEM_CLOCK,
  shown,
} from "../../../src/base/values/mod.ts";
import { type AgentClient, type ConnectionRecord, connectionFailure } from "../../../src/call/connection/mod.ts";
import { noMock } from "./messages.ts";

/** How the record of a finished conversation is read. */
export interface RecordRequest {
  readonly name: string;
  readonly conversationId: string;
  /** How often the caller spoke: a record with less is not complete. */
  readonly said: number;
  readonly hasNodes: boolean;
  /** Whether tools ran that no mock answered. */
  readonly isReal: boolean;
  /** How long to wait until it is complete, in milliseconds. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
  /** Tools that were answered by the scenario's mocks. */
  readonly answered: ReadonlySet<string>;
}

const PAUSES = { firstMs: 250, longestMs: 2_000 };
/** Statuses after which a record does not change. */
const FINAL: readonly unknown[] = ["done", "failed"];

/**
 * Reads the record of a finished conversation. It is complete some time after the call; until then, its status is
 * `processing`. A record that is still processed at the end of the limit is used if it has all that the caller said.
 *
 * @throws {ConnectionError} When there is no record, or it has not what the connection promises.
 */
export async function readRecord(client: AgentClient, request: RecordRequest): Promise<ConnectionRecord> {
  const { name, conversationId, said, limitMs, signal } = request;
  const path = `/v1/convai/conversations/${encodeURIComponent(conversationId)}`;
  const until = SYSTEM_CLOCK.now() + limitMs;
  for (let attempt = 1; ; attempt++) {
    const found = await client.send({ path }, { signal, pauseClock: () => () => {} });
    if (!isRecord(found)) throw connectionFailure(name, "vendor", "its record of the call is no object");
    if (FINAL.includes(found.status)) return recordOf(found, request);
    const pause = backoffMs(PAUSES, attempt);
    if (SYSTEM_CLOCK.now() + pause <= until) {
      await SYSTEM_CLOCK.pause(pause, signal);
      continue;
    }
    const heard = records(found.transcript).filter(({ role, message }) => role === "user" && Boolean(message)).length;
    if (found.status === "processing" && heard >= said) return recordOf(found, request);
    const state = `its record of the call is not complete after ${limitMs} ms: it is ${shown(found.status)}`;
    throw connectionFailure(name, "vendor", state);
  }
}

function recordOf(found: JsonObject, request: RecordRequest): ConnectionRecord {
  const { name, hasNodes } = request;
  const wrong = (what: string) => connectionFailure(name, "vendor", `its record of the call has ${what}`);
  if (!Array.isArray(found.transcript)) throw wrong("no transcript");
  const turns = records(found.transcript);
  const metadata = recordAt(found, "metadata");
  const started = recordAt(found, "conversation_initiation_client_data").dynamic_variables;
  if (!isRecord(started)) throw wrong("no variables");
  const nodes = nodesOf(turns);
  if (hasNodes && nodes.length === 0) throw wrong("no nodes");
  const version = [found.version_id, ...turns.map((turn) => recordAt(turn, "agent_metadata").version_id)].find(isText);
  const { termination_reason: reason, cost_fiat: cost } = metadata;
  const ended = endOf(turns);
  return {
    toolsCalled: turns.flatMap((turn) => callsOf(turn, request)),
    variables: { ...started, ...changedVariables(turns) },
    callId: request.conversationId,
    ...(hasNodes ? { nodesVisited: nodes } : {}),
    ...defined({ version, ended }),
    ...(isText(reason) ? { endReason: reason } : {}),
    ...(typeof cost === "number" ? { costUsd: cost } : {}),
  };
}

/** The nodes of the turns, and those that a tool's workflow passes without a turn. */
function nodesOf(turns: readonly JsonObject[]): readonly string[] {
  const all = turns.flatMap((turn) => [
    recordAt(turn, "agent_metadata").workflow_node_id,
    ...records(turn.tool_results)
      .flatMap(stepsOf)
      .map(({ node_id: id, target_node_id: target }) => target ?? id),
  ]);
  return all.filter(isText).filter((node, at, nodes) => node !== nodes[at - 1]);
}

function stepsOf(result: JsonObject): readonly JsonObject[] {
  return records(recordAt(result, "result").steps);
}

/** The tool calls of a turn, without those of the platform itself. Tool nodes have theirs in steps. */
function callsOf(turn: JsonObject, request: RecordRequest): NonNullable<ConnectionRecord["toolsCalled"]> {
  const own = [turn, ...records(turn.tool_results).flatMap(stepsOf)];
  const results = own.flatMap((part) => [...records(part.tool_results), ...records(part.results)]);
  const calls = own.flatMap((part) => [...records(part.tool_calls), ...records(part.requests)]);
  return calls
    .filter(({ type }) => type !== "system" && type !== "workflow")
    .map((call) => {
      const { tool_name: name, params_as_json: params, request_id: id, type } = call;
      const args = parsedJson(typeof params === "string" && params !== "" ? params : "{}");
      if (!isText(name) || !isRecord(args))
        throw connectionFailure(
          request.name,
          "vendor",
          `its record has a tool call that cannot be read: ${shown(call)}`,
        );
      const result = results.find(({ request_id: of }) => of === id);
      const { result_value: value, is_error: isError, tool_latency_secs: seconds } = result ?? {};
      const isFailed = isError === true;
      const isMocked =
        (request.answered.has(name) && value !== noMock(name)) || (!request.isReal && type !== "client" && !isFailed);
      return {
        name,
        arguments: args,
        mocked: isMocked,
        ...(isText(value) ? { result: jsonOrText(value) } : {}),
        ...(isFailed ? { outcome: "failed" as const } : {}),
        ...(typeof seconds === "number" ? { durationMs: seconds * 1_000 } : {}),
      };
    });
}

function changedVariables(turns: readonly JsonObject[]): JsonObject {
  const results = turns.flatMap(({ tool_results: results }) => records(results));
  const all = results.flatMap((result) => [result, ...stepsOf(result).flatMap((step) => records(step.results))]);
  const updates = all.flatMap(({ dynamic_variable_updates: updates }) => records(updates));
  return Object.fromEntries(updates.map(({ variable_name: name, new_value: value }) => [String(name), value]));
}

/** Tools of the platform that end a call. */
const ENDS: ReadonlyMap<unknown, ConnectionRecord["ended"]> = new Map([
  ["end_call", "agent_ended"],
  ["transfer_to_number", "agent_transferred"],
]);

function endOf(turns: readonly JsonObject[]): ConnectionRecord["ended"] {
  const results = turns.flatMap(({ tool_results: results }) => records(results));
  return results
    .flatMap(({ tool_name: name, is_error: isError }) => (isError === true ? [] : [ENDS.get(name)]))
    .findLast((end) => end !== undefined);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
