import { Buffer } from "node:buffer";
import {
  createSoundReader,
  createSoundWriter,
  type SoundFormat,
  type WebSocketOptions,
} from "../../../src/call/voice/mod.ts";
import { type BrainTurn, startBrain } from "../../platforms/connections/_brain.ts";
import { DESK_TOOLS } from "../../platforms/connections/_tools.ts";
import { type SocketServer, type SocketServerOptions, startSocketServer } from "../connection/_socket_server.ts";
import { Ear, SPOKEN_MS, spoken } from "./_spoken.ts";

/** How the help desk behind a WebSocket of its own talks. */
export interface SocketAgentOptions extends Pick<SocketServerOptions, "fault" | "refuse"> {
  readonly caller?: SoundFormat;
  readonly agent?: SoundFormat;
  /** Whether sound is in JSON, both ways. Default: binary messages. */
  readonly isJson?: boolean;
  /** Whether it says when its turns begin and end. Default: true. */
  readonly signals?: boolean;
  /** Words that are spoken before a tool returns, and how long that takes by the caller's sound, in milliseconds. */
  readonly filler?: { readonly text: string; readonly ms: number };
}

const PCM: SoundFormat = { encoding: "pcm", rate: 16_000 };

/** The options of a connection to it. */
export function socketAgentOptions(
  url: string,
  { caller = PCM, agent = PCM, isJson = false, signals = true }: SocketAgentOptions,
): WebSocketOptions {
  return {
    url,
    start: ({ callId, variables }) => [{ type: "start", callId, variables }],
    ready: { path: "$.type", is: "ready" },
    caller: { ...caller, ...(isJson ? { message: (audio) => ({ type: "audio", audio }) } : {}) },
    agent: { ...agent, ...(isJson ? { path: "$.audio" } : {}) },
    messages: {
      words: "$.words",
      heard: "$.heard",
      toolCalls: "$.tool",
      clear: { path: "$.type", is: "clear" },
      transfer: { path: "$.type", is: "transfer" },
      ...(signals ? { turnStart: { path: "$.type", is: "turn" }, turnEnd: { path: "$.type", is: "turn_end" } } : {}),
    },
    bye: { type: "bye" },
  };
}

/** Starts the help desk behind a WebSocket with messages of its own. */
export async function startSocketAgent(options: SocketAgentOptions = {}): Promise<SocketServer> {
  const { caller = PCM, agent = PCM, isJson = false, signals = true, filler, fault, refuse } = options;
  return await startSocketServer({
    ...(fault ? { fault } : {}),
    ...(refuse ? { refuse } : {}),
    play: async (socket) => {
      const ear = new Ear(caller.rate);
      const read = createSoundReader(caller, caller.rate);
      let brain = startBrain({ mocks: DESK_TOOLS });
      let closesAtMs = Number.POSITIVE_INFINITY;
      const later: { atMs: number; act: () => void }[] = [];
      const speak = (text: string) => {
        const bytes = createSoundWriter(agent, agent.rate)(spoken(text, agent.rate));
        socket.send({ type: "words", words: text });
        socket.send(isJson ? { type: "audio", audio: Buffer.from(bytes).toString("base64") } : bytes);
      };
      const finish = ({ events, ended }: BrainTurn) => {
        for (const event of events) {
          if (event.kind === "says") speak(event.text);
          else if (event.kind === "calls") {
            const { name, arguments: args, result, failed } = event;
            const outcome = failed ? "failed" : "succeeded";
            socket.send({ type: "tool", tool: { name, arguments: JSON.stringify(args), result, outcome } });
          }
        }
        if (ended === "agent_transferred") socket.send({ type: "transfer" });
        if (signals) socket.send({ type: "turn_end" });
        if (ended) closesAtMs = ear.nowMs + (events.length + 1) * (SPOKEN_MS + 100);
      };
      const say = (turn: BrainTurn) => {
        if (signals) socket.send({ type: "turn" });
        const waits = filler !== undefined && turn.events.some(({ kind }) => kind === "calls");
        if (!waits) return finish(turn);
        speak(filler.text);
        later.push({ atMs: ear.nowMs + filler.ms, act: () => finish(turn) });
      };
      for (let given = await socket.next(); given !== undefined; given = await socket.next()) {
        if (given.type === "start") {
          brain = startBrain({ mocks: DESK_TOOLS, variables: given.variables });
          socket.send({ type: "ready" });
          say(await brain.open());
        } else if (given.type === "bye") return socket.close(1000);
        else {
          const text = ear.hear(read(isJson ? Buffer.from(given.audio, "base64") : given));
          while (later[0] && later[0].atMs <= ear.nowMs) later.shift()?.act();
          if (ear.nowMs >= closesAtMs) return socket.close();
          if (text === undefined) continue;
          socket.send({ type: "heard", heard: text });
          say(await brain.hear(text));
        }
      }
    },
  });
}
