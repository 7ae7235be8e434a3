import { isRecord, type JsonObject, recordAt, records, shorten, shown } from "../../../src/base/values/mod.ts";
import {
  type AgentClient,
  type AgentSocket,
  connectionFailure,
  type ReportedToolCall,
  type SocketMessage,
} from "../../../src/call/connection/mod.ts";
import {
  busyEvents,
  createSoundReader,
  createSoundWriter,
  type SoundFormat,
  socketWire,
  type VoiceWire,
  type WireEvent,
} from "../../../src/call/voice/mod.ts";
import { VAPI_OPEN_STATUSES, vapiEndReason } from "../calls/mod.ts";
import { destinationOf, type VapiAgent } from "./agent.ts";
import { toolCall, withOutcome } from "./output.ts";
import { effectOf } from "./tools.ts";

/** Messages that a call needs. Without them, tools and turns would look as if there were none. */
export const CLIENT_MESSAGES: readonly string[] = [
  ...["speech-update", "transcript", "tool-calls", "tool-calls-result", "assistant.started", "transfer-update"],
  ...["user-interrupted", "status-update", "conversation-update", "hang"],
];

interface CallVoiceOptions {
  readonly name: string;
  readonly client: Pick<AgentClient, "withoutSecrets">;
  readonly agent: VapiAgent;
  readonly format: SoundFormat;
}

/** A wire, and where the call is. */
export interface VapiVoice {
  readonly wire: VoiceWire;
  readonly node: () => string | undefined;
}

/**
 * Refuses a call that the platform ended, and neither the agent nor the caller: its end would look like the agent's.
 *
 * @throws {ConnectionError} `vendor`, `ended-early`.
 */
export function agentEnd(name: string, reason: string): "agent_ended" | "agent_transferred" | undefined {
  const end = vapiEndReason(reason);
  if (end === "agent_ended" || end === "agent_transferred") return end;
  if (end === "caller_ended" || end === "aborted") return undefined;
  throw connectionFailure(name, end === "failed" ? "vendor" : "ended-early", `the platform ended the call: ${reason}`);
}

/**
 * Carries the sound of a call. Binary messages are sound, texts are messages of the call.
 *
 * @see https://docs.vapi.ai/calls/websocket-transport and types `ClientMessage…` of @vapi-ai/server-sdk 2.0.1
 */
export function callWire(socket: AgentSocket, { name, client, agent, format }: CallVoiceOptions): VapiVoice {
  const { squad } = agent;
  const wrong = (state: string) =>
    connectionFailure(name, "vendor", shorten(client.withoutSecrets(`its message has ${state}`), 300));
  const [sound, write] = [createSoundReader(format, format.rate), createSoundWriter(format, format.rate)];
  const busy = busyEvents();
  const open = new Map<string, JsonObject>();
  let node = squad?.start;
  let [isSpeaking, isAwaited] = [false, false];

  const move = (to: string | undefined): readonly WireEvent[] => {
    if (to === undefined || to === node) return [];
    node = to;
    return [{ kind: "did", event: { kind: "node", node: to } }];
  };
  const memberOf = (given: unknown) =>
    squad && isRecord(given) && typeof given.name === "string"
      ? squad.directory.resolve({ assistantName: given.name })
      : undefined;
  /** A tool call that is over, and what it does to the call. */
  const finish = (call: ReportedToolCall): readonly WireEvent[] => {
    const effect = effectOf(call.name, agent.tools);
    const done = withOutcome(call, effect !== undefined);
    const events: WireEvent[] = [{ kind: "did", event: { kind: "tool", call: done } }];
    if (effect === undefined || done.outcome === "failed") return events;
    if (effect === "endCall") return [...events, { kind: "ends", as: "agent_ended" }];
    const to = squad ? destinationOf(call.name, call.arguments, { squad, tools: agent.tools }) : undefined;
    if (to !== undefined) return [...events, ...move(to)];
    return effect === "transferCall" ? [...events, { kind: "ends", as: "agent_transferred" }] : events;
  };
  const start = (called: JsonObject): readonly WireEvent[] => {
    const { name: tool } = toolCall(called, new Map(), wrong);
    const effect = effectOf(tool, agent.tools);
    if (effect !== "endCall" && effect !== "transferCall") {
      open.set(String(called.id), called);
      return [];
    }
    // the result of a tool that ends the call may never come
    return finish(toolCall(called, new Map(), wrong));
  };
  const answer = (found: JsonObject): readonly WireEvent[] => {
    const id = String(found.toolCallId ?? found.id);
    const called = open.get(id);
    // the end of a call was reported before
    if (!called) return [];
    open.delete(id);
    isAwaited = true;
    return finish(toolCall(called, new Map([[called.id, found.result ?? found.error]]), wrong));
  };
  const apply = (message: JsonObject): readonly WireEvent[] => {
    const { type, role, status } = message;
    switch (type) {
      case "speech-update":
        if (role !== "assistant") return [];
        isSpeaking = status === "started";
        if (isSpeaking && open.size === 0) isAwaited = false;
        return [];
      case "transcript": {
        const { transcript: text, transcriptType: kind, assistantName } = message;
        if (kind !== "final") return [];
        if (typeof text !== "string") throw wrong("a transcript without a text");
        if (role === "user") return [{ kind: "words", by: "caller", text }];
        return [...move(memberOf({ name: assistantName })), { kind: "words", by: "agent", text }];
      }
      case "tool-calls":
        return records(message.toolCallList).flatMap(start);
      case "tool-calls-result":
        return answer(recordAt(message, "toolCallResult"));
      case "assistant.started":
        return move(memberOf(message.newAssistant));
      case "transfer-update":
        return transfer(message);
      case "user-interrupted":
        return [{ kind: "clear" }];
      case "status-update":
        return status === "ended" ? ending(message) : [];
      default:
        return [];
    }
  };
  const transfer = ({ destination, toAssistant }: JsonObject): readonly WireEvent[] => {
    if (!isRecord(destination) || destination.type === "assistant")
      return move(memberOf(toAssistant) ?? memberOf({ name: recordAt({ destination }, "destination").assistantName }));
    return [{ kind: "ends", as: "agent_transferred" }];
  };
  const ending = ({ endedReason: reason }: JsonObject): readonly WireEvent[] => {
    const as = typeof reason === "string" ? agentEnd(name, reason) : undefined;
    return as === undefined ? [] : [{ kind: "ends", as }];
  };
  const read = (given: SocketMessage): readonly WireEvent[] => {
    if (typeof given !== "string") return [{ kind: "sound", samples: sound(given) }];
    const whole = socket.readJson(given);
    const { message } = whole;
    const events = apply(isRecord(message) ? message : whole);
    return [...events, ...busy(isSpeaking || isAwaited || open.size > 0)];
  };
  const wire = socketWire({
    socket,
    rate: format.rate,
    read,
    send: (samples) => socket.send(write(samples)),
    // a connection that is only closed leaves the call open
    bye: () => socket.send({ type: "end-call" }),
  });
  return { wire, node: () => node };
}

/** The format of a call's sound, as the platform answers; PCM with 16,000 samples per second by default. */
export function callFormat(name: string, transport: JsonObject): SoundFormat {
  const { format = "pcm_s16le", sampleRate = format === "mulaw" ? 8000 : 16_000 } = recordAt(transport, "audioFormat");
  const isRate = typeof sampleRate === "number" && sampleRate >= 4_000 && sampleRate <= 192_000;
  if ((format === "pcm_s16le" || format === "mulaw") && isRate)
    return { encoding: format === "mulaw" ? "mulaw" : "pcm", rate: sampleRate };
  throw connectionFailure(
    name,
    "vendor",
    `the sound of the call is ${shown(format)} with ${shown(sampleRate)} samples`,
  );
}

/** Whether the record of a call is complete. */
export function isOver({ status, endedReason }: JsonObject): boolean {
  return typeof endedReason === "string" && !VAPI_OPEN_STATUSES.includes(String(status));
}
