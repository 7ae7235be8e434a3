import {
  backoffMs,
  defined,
  isRecord,
  type JsonObject,
  recordAt,
  records,
  recordsAt,
  SYSTEM_CLOCK,
} from "../../../src/base/values/mod.ts";
import {
  type AgentClient,
  type ConnectionRecord,
  connectionFailure,
  type OpenOptions,
  openAgentSocket,
} from "../../../src/call/connection/mod.ts";
import type { VoiceSetup } from "../../../src/call/voice/mod.ts";
import type { VapiAgent } from "./agent.ts";
import { toolCall, withOutcome } from "./output.ts";
import { effectOf } from "./tools.ts";
import { agentEnd, CLIENT_MESSAGES, callFormat, callWire, isOver } from "./voice.ts";

/** What a call by voice is made of. */
export interface VapiCallParts {
  readonly name: string;
  readonly client: AgentClient;
  readonly agent: VapiAgent;
  readonly open: OpenOptions;
  /** The version of an assistant that is called. Default: the newest. */
  readonly version: string | undefined;
  readonly throttleLimitMs: number | undefined;
}

/** Codes with which the platform closes the socket of a call that is over. */
const NORMAL_CODES = [1000, 1005];
/** How long the record of a call is waited for, in milliseconds. Closing a call has a time limit of its own. */
const RECORD_MS = 8_000;
const PAUSES = { firstMs: 250, longestMs: 2_000 };

/** Calls an agent of Vapi by voice: creates a call whose sound a WebSocket carries. */
export async function dialVapi(parts: VapiCallParts): Promise<VoiceSetup> {
  const { name, client, agent, open, version, throttleLimitMs } = parts;
  const { variables, signal, pauseClock } = open;
  const overrides = { variableValues: variables, clientMessages: CLIENT_MESSAGES };
  const body = {
    ...agent.target,
    ...("squadId" in agent.target ? { squadOverrides: overrides } : { assistantOverrides: overrides }),
    ...defined({ assistantVersion: version }),
    transport: {
      provider: "vapi.websocket",
      audioFormat: { format: "pcm_s16le", container: "raw", sampleRate: 16_000 },
    },
  };
  const call = await client.send({ path: "/call", body }, open);
  const transport = isRecord(call) ? recordAt(call, "transport") : {};
  const { websocketCallUrl: url } = transport;
  const id = isRecord(call) ? call.id : undefined;
  if (typeof id !== "string" || id === "") throw connectionFailure(name, "vendor", "its answer has no id of the call");
  if (typeof url !== "string" || !/^wss?:/.test(url) || !URL.canParse(url))
    throw connectionFailure(name, "vendor", "its answer has no URL of the call's sound");
  // whoever has the URL can listen
  client.hide(url);
  for (const value of new URL(url).searchParams.values()) client.hide(value);
  const format = callFormat(name, transport);
  const socket = await openAgentSocket(name, {
    url,
    signal,
    pauseClock,
    normalCodes: NORMAL_CODES,
    withoutSecrets: client.withoutSecrets,
    ...defined({ throttleLimitMs }),
  });
  const { wire, node } = callWire(socket, { name, client, agent, format });
  return {
    callId: id,
    wire,
    ...(agent.squad ? { node } : {}),
    record: async ({ signal }) => recordOf(await finished(id, parts, signal), parts),
  };
}

/** The record of a call that is over: it is complete some time after the call. */
async function finished(id: string, { name, client }: VapiCallParts, signal: AbortSignal): Promise<JsonObject> {
  const until = SYSTEM_CLOCK.now() + RECORD_MS;
  for (let attempt = 1; ; attempt++) {
    const path = `/call/${encodeURIComponent(id)}`;
    const found = await client.send({ path }, { signal, pauseClock: () => () => {} });
    if (isRecord(found) && isOver(found)) return found;
    const pause = backoffMs(PAUSES, attempt);
    if (SYSTEM_CLOCK.now() + pause > until)
      throw connectionFailure(name, "vendor", `its record of the call is not complete after ${RECORD_MS} ms`);
    await SYSTEM_CLOCK.pause(pause, signal);
  }
}

function recordOf(found: JsonObject, { name, agent, version }: VapiCallParts): ConnectionRecord {
  const { endedReason, cost, assistantVersion } = found;
  const artifact = recordAt(found, "artifact");
  const messages = recordsAt(artifact, ["messages"]);
  const wrong = (state: string) => connectionFailure(name, "vendor", `its record of the call has ${state}`);
  const results = new Map(
    messages.flatMap((each) => (each.role === "tool_call_result" ? [[each.toolCallId, each.result]] : [])),
  );
  const calls = messages
    .filter(({ role }) => role === "tool_calls")
    .flatMap(({ toolCalls }) => records(toolCalls))
    .map((called) => toolCall(called, results, wrong))
    .map((call) => withOutcome(call, effectOf(call.name, agent.tools) !== undefined));
  const { recordingUrl } = artifact;
  return {
    // a record without messages says nothing of the tools; the messages of the call have reported them
    ...(messages.length > 0 ? { toolsCalled: calls } : {}),
    ...defined({
      ended: agentEnd(name, String(endedReason)),
      endReason: typeof endedReason === "string" ? endedReason : undefined,
      costUsd: typeof cost === "number" ? cost : undefined,
      version: typeof assistantVersion === "string" ? assistantVersion : (version ?? agent.version),
      recordingUrl: typeof recordingUrl === "string" ? recordingUrl : undefined,
    }),
  };
}
