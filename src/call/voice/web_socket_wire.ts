import { isRecord, type JsonObject, jsonOrText, shown } from "../../base/values/mod.ts";
import { type AgentSocket, connectionFailure, type SocketMessage } from "../connection/mod.ts";
import { valueAtJsonPath } from "../turn/mod.ts";
import { base64Of, busyEvents, bytesOf, socketWire } from "./socket_wire.ts";
import { createSoundReader, createSoundWriter, type SoundFormat } from "./sound_format.ts";
import type { VoiceWire, WireEvent } from "./voice_wire.ts";

/** A message in JSON, by a value in it: `{ path: "$.type", is: "turn_end" }`. */
export interface MessageMatch {
  /** JSON path of the value. */
  readonly path: string;
  readonly is: string | number | boolean;
}

/** What the agent's messages in JSON say, by JSON paths and matches. */
export interface WebSocketMessages {
  /** Path of the agent's words, which are kept beside what was heard: `$.agent_transcript`. */
  readonly words?: string;
  /** Path of what the agent heard of the caller: `$.user_transcript`. */
  readonly heard?: string;
  /** Path of a tool call `{ name, arguments, result }`, or of a list of them. Arguments can be JSON as text. */
  readonly toolCalls?: string;
  /** The agent's turn begins. Until it ends, its pauses do not end it. */
  readonly turnStart?: MessageMatch;
  /** The agent's turn ends. */
  readonly turnEnd?: MessageMatch;
  /** The agent was interrupted: what was not played is dropped. */
  readonly clear?: MessageMatch;
  /** The agent transfers the call, and closes the connection. */
  readonly transfer?: MessageMatch;
}

interface MessageWire {
  readonly name: string;
  readonly signal: AbortSignal;
  readonly caller: SoundFormat & { readonly message?: (audio: string) => JsonObject };
  readonly agent: SoundFormat & { readonly path?: string };
  readonly messages: WebSocketMessages;
  readonly ready: MessageMatch | undefined;
  readonly bye: JsonObject | undefined;
}

/** Carries sound as the options of a connection say. It waits until the agent is ready. */
export async function startMessageWire(socket: AgentSocket, options: MessageWire): Promise<VoiceWire> {
  const { name, signal, caller, agent, ready, bye } = options;
  const rate = Math.max(caller.rate, agent.rate);
  const write = createSoundWriter(caller, rate);
  const sound = createSoundReader(agent, rate);
  const reader = messageReader(options);
  let isReady = ready === undefined;
  const read = (given: SocketMessage): readonly WireEvent[] => {
    if (typeof given !== "string") {
      if (agent.path === undefined) return [{ kind: "sound", samples: sound(given) }];
      throw connectionFailure(name, "vendor", `it sent ${given.length} bytes, and no JSON`, {
        hint: "Leave out agent.path if its sound comes in binary messages",
      });
    }
    const message = socket.readJson(given);
    if (matches(message, ready)) isReady = true;
    const audio = agent.path === undefined ? undefined : valueAtJsonPath(message, agent.path);
    if (audio === undefined || audio === null) return reader(message);
    return [{ kind: "sound", samples: sound(bytesOf(audio, { name, what: "a message" })) }, ...reader(message)];
  };
  const early: WireEvent[] = [];
  while (!isReady) {
    const message = await socket.receive({ signal });
    if (message === undefined) throw connectionFailure(name, "vendor", "it closed the connection before it was ready");
    early.push(...read(message));
  }
  return socketWire({
    socket,
    rate,
    early,
    read,
    send: (samples) => {
      const bytes = write(samples);
      socket.send(caller.message ? caller.message(base64Of(bytes)) : bytes);
    },
    ...(bye ? { bye: () => socket.send(bye) } : {}),
  });
}

function messageReader({ name, messages }: MessageWire): (message: JsonObject) => readonly WireEvent[] {
  const busy = busyEvents();
  const { words, heard, toolCalls, turnStart, turnEnd, clear, transfer } = messages;
  const textAt = (message: JsonObject, path: string | undefined): string => {
    const text = path === undefined ? undefined : valueAtJsonPath(message, path);
    return typeof text === "string" ? text.trim() : "";
  };
  const callsIn = (message: JsonObject): readonly WireEvent[] => {
    const found = toolCalls === undefined ? undefined : valueAtJsonPath(message, toolCalls);
    const calls = found === undefined || found === null ? [] : Array.isArray(found) ? found : [found];
    return calls.map((call: unknown): WireEvent => {
      const { name: tool, arguments: given, result, outcome } = isRecord(call) ? call : {};
      const args = typeof given === "string" ? jsonOrText(given === "" ? "{}" : given) : (given ?? {});
      if (typeof tool !== "string" || tool === "" || !isRecord(args))
        throw connectionFailure(name, "vendor", `it sent a tool call without a name or arguments: ${shown(call)}`);
      const failed = outcome === "failed" ? ({ outcome } as const) : {};
      const answer = result === undefined ? {} : { result };
      return { kind: "did", event: { kind: "tool", call: { name: tool, arguments: args, ...answer, ...failed } } };
    });
  };
  return (message) => {
    const [said, was] = [textAt(message, words), textAt(message, heard)];
    return [
      ...(matches(message, turnStart) ? busy(true) : []),
      ...callsIn(message),
      ...(said === "" ? [] : [{ kind: "words", by: "agent", text: said } as const]),
      ...(was === "" ? [] : [{ kind: "words", by: "caller", text: was } as const]),
      ...(matches(message, clear) ? [{ kind: "clear" } as const, ...busy(false)] : []),
      ...(matches(message, transfer) ? [{ kind: "ends", as: "agent_transferred" } as const] : []),
      ...(matches(message, turnEnd) ? busy(false) : []),
    ];
  };
}

function matches(message: JsonObject, match: MessageMatch | undefined): boolean {
  return match !== undefined && valueAtJsonPath(message, match.path) === match.is;
}
