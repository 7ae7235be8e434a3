import { backoffMs, defined, isRecord, type JsonObject, records, SYSTEM_CLOCK } from "../../../src/base/values/mod.ts";
import {
  type AgentClient,
  type CallRequest,
  type ConnectionFailure,
  type ConnectionRecord,
  connectionFailure,
  createAgentClient,
  type EndpointOptions,
  type OpenOptions,
} from "../../../src/call/connection/mod.ts";
import { type IceServer, isServers, RTC_RATE, type Rtc, type RtcPeer } from "../../../src/call/rtc/mod.ts";
import type { VoiceSetup, VoiceWire } from "../../../src/call/voice/mod.ts";
import type { RetellAgent } from "./agent.ts";
import { readMessages } from "./messages.ts";
import { numberOrTag, textsOf } from "./request_values.ts";

/** What a call by voice is made of. */
export interface WebCallParts {
  readonly name: string;
  readonly agentId: string;
  readonly endpoint: EndpointOptions;
  readonly client: AgentClient;
  readonly agent: RetellAgent;
  readonly open: OpenOptions;
  readonly rtc: Rtc;
  /** How often the platform is asked whether the call is over, in milliseconds. */
  readonly askMs: number;
}

/** How long the connection may take, in milliseconds. */
const CONNECT_MS = 15_000;
/** How long hanging up may take, in milliseconds. */
const HANG_UP_MS = 2_000;
/** How long the record of a call is waited for, in milliseconds. Closing a call has a time limit of its own. */
const RECORD_MS = 8_000;
const PAUSES = { firstMs: 250, longestMs: 2_000 };
/** Where the token of a call stands for the client that uses it. */
const TOKEN = "CALL_ACCESS_TOKEN";

/**
 * Calls an agent of Retell by voice, as its web calls do: over WebRTC with the platform's gateway. The gateway says
 * nothing of the call, so that the platform is asked whether it is over.
 */
export async function dialRetell(parts: WebCallParts): Promise<VoiceSetup> {
  const call = await createCall(parts);
  const session = await connectGateway(call, parts);
  return {
    callId: call.id,
    wire: wireOf(session, call.id, parts),
    record: async ({ signal }) => recordOf(await finished(call.id, parts, signal), parts),
  };
}

/** A call that nobody has joined. */
interface WebCall {
  readonly id: string;
  readonly token: string;
  readonly iceServers: readonly IceServer[];
}

async function createCall({ name, agentId, client, agent, open }: WebCallParts): Promise<WebCall> {
  const body = {
    agent_id: agentId,
    ...defined({ agent_version: numberOrTag(agent.version) }),
    retell_llm_dynamic_variables: textsOf(open.variables),
  };
  const call = await client.send({ path: "/v3/create-web-call", body }, open);
  const wrong = (what: string) => connectionFailure(name, "vendor", `its answer has ${what}`);
  if (!isRecord(call)) throw wrong("no call");
  const { call_id: id, access_token: token, transport = "gateway", ice_servers: servers } = call;
  if (typeof token === "string") client.hide(token);
  for (const { credential } of records(servers)) if (typeof credential === "string") client.hide(credential);
  if (typeof id !== "string" || id === "") throw wrong("no call_id");
  if (typeof token !== "string" || !/^[\x21-\x7e]+$/.test(token)) throw wrong("no access_token");
  if (transport !== "gateway") throw wrong("another transport than the gateway");
  const iceServers = servers ?? [];
  if (!isServers(iceServers)) throw wrong("ice_servers that are none");
  return { id, token, iceServers };
}

/** A connection with the gateway. */
interface GatewaySession {
  readonly peer: RtcPeer;
  /** Ends the call. Never throws. */
  readonly end: () => Promise<void>;
}

async function connectGateway({ id, token, iceServers }: WebCall, parts: WebCallParts): Promise<GatewaySession> {
  const { name, endpoint, client, open, rtc } = parts;
  const { signal, pauseClock } = open;
  const gateway = createAgentClient(name, { ...endpoint, keyVariable: TOKEN, env: { [TOKEN]: token } });
  gateway.hide(client.key ?? "");
  const withoutSecrets = (text: string) => client.withoutSecrets(gateway.withoutSecrets(text));
  const { url } = endpoint;
  const path = `/webrtc-proxy/${encodeURIComponent(id)}/v1/webrtc/sessions`;
  const limits = { connectTimeoutMs: CONNECT_MS, signal, pauseClock };
  const made = { name, channel: "control", iceServers, url, withoutSecrets, ...limits };
  const peer = await rtc.createPeer(made);
  let session: string | undefined;
  const end = async () => {
    const limit = AbortSignal.timeout(HANG_UP_MS);
    const what = { method: "DELETE" as const, path: `${path}/${encodeURIComponent(session ?? "")}` };
    if (session !== undefined) await gateway.send(what, inBackground(limit)).catch(() => undefined);
    await peer.close();
  };
  try {
    const answer = await gateway.send({ path, body: { identity: "client", sdp: peer.offer } }, open);
    const { session_id, sdp } = isRecord(answer) ? answer : {};
    if (typeof session_id === "string" && session_id !== "") session = session_id;
    if (session === undefined || typeof sdp !== "string")
      throw connectionFailure(name, "vendor", "the gateway's answer has no session_id or sdp");
    await peer.connect(sdp);
    return { peer, end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Carries the sound of a call, until the platform says that it is over. */
function wireOf({ peer, end }: GatewaySession, id: string, parts: WebCallParts): VoiceWire {
  const { name, askMs } = parts;
  const stop = new AbortController();
  /** The call, when it is over. */
  let over: JsonObject | undefined;
  let failure: { readonly error: unknown } | undefined;
  const watch = async () => {
    while (!stop.signal.aborted) {
      await SYSTEM_CLOCK.pause(askMs, stop.signal);
      if (stop.signal.aborted) return;
      const found = await callNow(id, parts, stop.signal);
      if (!isOver(found)) continue;
      over = found;
      // what has arrived can still be heard
      return await peer.close();
    }
  };
  watch().catch(async (error: unknown) => {
    if (stop.signal.aborted) return;
    failure = { error };
    await peer.close();
  });
  let hasEnded = false;
  return {
    rate: RTC_RATE,
    send: (samples, place) => peer.sendSound(samples, place),
    receive: async ({ signal }) => {
      if (hasEnded) return undefined;
      for (;;) {
        const event = await peer.receive({ signal });
        if (event?.kind === "sound") return event;
        if (!event) break;
      }
      stop.abort();
      if (failure) throw failure.error;
      over ??= await finished(id, parts, signal, (state) =>
        connectionFailure(name, "ended-early", `the gateway has closed the connection, and ${state}`),
      );
      hasEnded = true;
      return { kind: "ends", as: endOf(over, parts) ?? "agent_ended" };
    },
    hangUp: async () => {
      stop.abort();
      await end();
    },
  };
}

const inBackground = (signal: AbortSignal): CallRequest => ({ signal, pauseClock: () => () => {} });

async function callNow(id: string, { name, client }: WebCallParts, signal: AbortSignal): Promise<JsonObject> {
  const found = await client.send({ path: `/v2/get-call/${encodeURIComponent(id)}` }, inBackground(signal));
  if (isRecord(found) && found.call_id === id && typeof found.call_status === "string") return found;
  throw connectionFailure(name, "vendor", "what it answers about the call is no call");
}

/** Statuses of a call that goes on, or has not begun. */
const OPEN: readonly unknown[] = ["registered", "ongoing"];

function isOver({ call_status: status }: JsonObject): boolean {
  return !OPEN.includes(status);
}

/** The call when it is over, which the platform knows some time after. */
async function finished(
  id: string,
  parts: WebCallParts,
  signal: AbortSignal,
  fail = (state: string) => connectionFailure(parts.name, "vendor", state),
): Promise<JsonObject> {
  const until = SYSTEM_CLOCK.now() + RECORD_MS;
  for (let attempt = 1; ; attempt++) {
    const found = await callNow(id, parts, signal);
    if (isOver(found)) return found;
    const pause = backoffMs(PAUSES, attempt);
    if (SYSTEM_CLOCK.now() + pause > until) throw fail(`the call is not over for the platform after ${RECORD_MS} ms`);
    await SYSTEM_CLOCK.pause(pause, signal);
  }
}

/** Reasons of an end that are no words about the agent; others that begin with `error_` are the vendor's fault. */
const FAILURES: ReadonlyMap<string, ConnectionFailure> = new Map([
  ["no_valid_payment", "payment"],
  ["concurrency_limit_reached", "throttled"],
  ["no_concurrency_fallback", "throttled"],
]);
const ENDS: ReadonlyMap<string, NonNullable<ConnectionRecord["ended"]>> = new Map([
  ["agent_hangup", "agent_ended"],
  ["call_transfer", "agent_transferred"],
  ["transfer_bridged", "agent_transferred"],
]);

/** How the agent has ended the call. @throws {ConnectionError} For a call that has failed. */
function endOf({ call_status: status, disconnection_reason: given }: JsonObject, { name }: WebCallParts) {
  const reason = typeof given === "string" ? given : "";
  const isFault = status === "error" || reason.startsWith("error_");
  const kind = FAILURES.get(reason) ?? (isFault ? "vendor" : undefined);
  if (kind) throw connectionFailure(name, kind, `the call ended with ${reason === "" ? "an error" : reason}`);
  return ENDS.get(reason);
}

function recordOf(call: JsonObject, parts: WebCallParts): ConnectionRecord {
  const { name, agent } = parts;
  const { transcript_with_tool_calls: said, disconnection_reason: reason, call_cost: cost } = call;
  const { recording_multi_channel_url: channels, recording_url: mixed, agent_version: version } = call;
  const messages = records(said);
  const events = readMessages(messages, { name, isAtStart: true, count: (called) => called });
  const moves = events.flatMap((event) => (event.kind === "node" ? [event.node] : []));
  const nodes = moves.length === 0 && agent.startNode !== undefined ? [agent.startNode] : moves;
  const cents = isRecord(cost) ? cost.combined_cost : undefined;
  return {
    // a record without messages says nothing of nodes and tools
    ...(messages.length > 0
      ? { toolsCalled: events.flatMap((each) => (each.kind === "tool" ? [each.call] : [])) }
      : {}),
    ...(messages.length > 0 && agent.hasNodes !== false ? { nodesVisited: nodes } : {}),
    ...defined({
      ended: endOf(call, parts),
      endReason: typeof reason === "string" ? reason : undefined,
      costUsd: typeof cents === "number" ? cents / 100 : undefined,
      version: typeof version === "number" ? String(version) : agent.version,
      recordingUrl: [channels, mixed].find((url) => typeof url === "string"),
    }),
  };
}
