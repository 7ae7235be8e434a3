import { Buffer } from "node:buffer";
import { createSoundReader, createSoundWriter } from "../../../../src/call/voice/mod.ts";
import type { ToolMock } from "../../../../src/document/scenario/mod.ts";
import {
  type ServerSocket,
  type SocketServer,
  type SocketServerOptions,
  startSocketServer,
} from "../../../call/connection/_socket_server.ts";
import { Ear, spoken } from "../../../call/voice/_spoken.ts";
import { type BrainTurn, replayTurn } from "../../connections/_brain.ts";

/** How the API differs from the usual one. */
export interface OpenAIServerOptions extends Pick<SocketServerOptions, "fault" | "refuse"> {
  /** Where the items of a response are: in `response.done`, or only in messages of their own. Default: both. */
  readonly items?: "both" | "alone";
  /** Whether responses say what they used. Default: true. */
  readonly usage?: boolean;
  /**
   * Whether words after the caller's turn are sent in parts of sound, before the text of them or after it. Without it, the
   * transcript comes first. By voice only.
   */
  readonly soundFirst?: boolean;
  /** Messages in place of those of a response, by its number, from 1. */
  readonly instead?: (response: number) => readonly object[] | undefined;
}

/**
 * A server that behaves as the Realtime API is described by openai 6.49.0 (resources/realtime/realtime.d.ts). The model
 * behind it is the help desk, whose functions the client answers; it ends calls with `end_call` and `transfer_call`.
 */
export async function startOpenAI(options: OpenAIServerOptions = {}): Promise<SocketServer> {
  const { items = "both", usage = true, instead, fault, refuse } = options;
  let sessions = 0;
  return await startSocketServer({
    ...(fault ? { fault } : {}),
    ...(refuse ? { refuse } : {}),
    play: async (socket) => {
      sessions += 1;
      socket.send({ type: "session.created", session: { id: `sess_${sessions}`, type: "realtime" } });
      const said: string[] = [];
      let answers: ToolMock[] = [];
      let asked = 0;
      let responses = 0;
      let variables: { readonly [name: string]: string } = {};
      const ear = new Ear(RATE);
      const read = createSoundReader({ encoding: "pcm", rate: RATE }, RATE);
      let isVoice = false;
      const respond = async () => {
        responses += 1;
        const id = `resp_${responses}`;
        socket.send({ type: "response.created", response: { id, status: "in_progress" } });
        const other = instead?.(responses);
        if (other) {
          for (const each of other) socket.send(each);
          return;
        }
        const turn = await replayTurn(said, { mocks: answers, variables });
        const calls = turn.events.filter(({ kind }) => kind === "calls");
        const isCall = calls.length > asked;
        const output = isCall ? [callItem(calls[asked++])] : wordItems(turn, isVoice);
        if (isVoice && !isCall) sendSound(socket, turn, { id, soundFirst: options.soundFirst ?? false });
        for (const item of output) socket.send({ type: "response.output_item.done", item });
        const used = usage ? { usage: { input_tokens: 100, output_tokens: 10, total_tokens: 110 } } : {};
        const done = { id, status: "completed", output: items === "both" ? output : [], ...used };
        socket.send({ type: "response.done", response: done });
      };
      for (let message = await socket.next(); message !== undefined; message = await socket.next()) {
        if (message.type === "session.update") {
          // the model knows the order's number from its instructions
          const [, number] = /number: ([A-Z]\S+)/.exec(message.session.instructions ?? "") ?? [];
          if (number) variables = { order_number: number };
          isVoice = message.session.output_modalities[0] === "audio";
          socket.send({ type: "session.updated", session: message.session });
        } else if (message.type === "input_audio_buffer.append") {
          const wasHearing = ear.isHearing;
          const text = ear.hear(read(Buffer.from(message.audio, "base64")));
          const at = { item_id: `item_${said.length}`, event_id: "event" };
          if (ear.isHearing && !wasHearing)
            socket.send({ type: "input_audio_buffer.speech_started", audio_start_ms: ear.nowMs, ...at });
          if (text === undefined) continue;
          socket.send({ type: "input_audio_buffer.speech_stopped", audio_end_ms: ear.nowMs, ...at });
          socket.send({ type: "input_audio_buffer.committed", ...at });
          said.push(text);
          asked = 0;
          await respond();
        } else if (message.type === "conversation.item.create") {
          const { item } = message;
          if (item.type === "message") {
            said.push(item.content[0].text);
            asked = 0;
          } else {
            const isFailed = !item.output.startsWith("{");
            const mock = { tool_name: "look_up_order", input_match_rule: { type: "any" } as const };
            answers = [...answers, { ...mock, output: item.output, result: !isFailed, times: 1 }];
          }
        } else if (message.type === "response.create") await respond();
      }
    },
  });
}

/** Samples per second of all sound. */
const RATE = 24_000;

/** Sends the words of a turn in parts of sound, with their transcript. */
function sendSound(
  socket: ServerSocket,
  { events }: BrainTurn,
  { id, soundFirst }: { readonly id: string; readonly soundFirst: boolean },
): void {
  const at = { response_id: id, item_id: `item_${id}`, output_index: 0, content_index: 0 };
  const texts = events.flatMap((event) => (event.kind === "says" ? [event.text] : []));
  const transcript = { type: "response.output_audio_transcript.done", transcript: texts.join(" "), ...at };
  if (!soundFirst) socket.send(transcript);
  // a text is one part, so that no gap is in its sound, however busy the machine is
  for (const text of texts) {
    const bytes = createSoundWriter({ encoding: "pcm", rate: RATE }, RATE)(spoken(text, RATE));
    socket.send({ type: "response.output_audio.delta", delta: Buffer.from(bytes).toString("base64"), ...at });
  }
  socket.send({ type: "response.output_audio.done", ...at });
  if (soundFirst) socket.send(transcript);
}

function callItem(call: BrainTurn["events"][number] | undefined): object {
  if (call?.kind !== "calls") throw new Error("this is no call");
  return {
    type: "function_call",
    name: call.name,
    call_id: `call_${call.name}`,
    arguments: JSON.stringify(call.arguments),
  };
}

function wordItems({ events, ended }: BrainTurn, isVoice: boolean): readonly object[] {
  const words = events.flatMap((event) => (event.kind === "says" ? [event.text] : []));
  const content = words.map((text) =>
    isVoice ? { type: "output_audio", transcript: text } : { type: "output_text", text },
  );
  const name = ended === "agent_ended" ? "end_call" : "transfer_call";
  const end = ended ? [{ type: "function_call", name, call_id: `call_${name}`, arguments: "" }] : [];
  return [{ type: "message", role: "assistant", status: "completed", content }, ...end];
}
