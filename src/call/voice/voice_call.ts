import { join } from "node:path";
import { ModelError } from "../../base/errors.ts";
import { checkWritable, fileProblem } from "../../base/files/mod.ts";
import { type Clock, defined, madeOnce, untilAborted } from "../../base/values/mod.ts";
import type { AgentCall, AgentConnection, AgentEvent, AgentTurn, OpenOptions } from "../connection/mod.ts";
import { type CallerVoice, createCallerVoice } from "./caller_voice.ts";
import { CALL_CLOCK } from "./frame_clock.ts";
import { DEFAULT_HANG_UP_MS, DEFAULT_TURNS, type VoiceOptions } from "./options.ts";
import { VoiceLine, type VoiceWire } from "./voice_line.ts";

/** A call that is being set up. */
export interface VoiceSetup {
  /** The platform's id of the call, and name of its recording. */
  readonly callId: string;
  readonly wire: VoiceWire;
}

/** What calls by voice need besides the options of the user. */
export interface VoiceParts {
  /** Connects to the agent. */
  readonly dial: (open: OpenOptions) => Promise<VoiceSetup>;
  /** Default: made of the models of the options. */
  readonly voice?: CallerVoice;
  /** Moves the sound. Default: the machine's monotonic clock. */
  readonly clock?: Pick<Clock, "now" | "pause">;
}

/**
 * Adds calls by voice to a connection: the caller's words are spoken, and the agent's are written down.
 *
 * @throws {ModelError} From `prepare()` and `open()`: `unknown-model`, `missing-key-variable`; from `prepare()` also
 *   `unwritable-file`.
 */
export function voiceConnection(
  facts: Pick<AgentConnection, "name" | "version" | "capabilities">,
  options: VoiceOptions,
  { dial, voice, clock = CALL_CLOCK }: VoiceParts,
): AgentConnection {
  const resolved = madeOnce(async () => voice ?? (await createCallerVoice(options)));
  const connection: AgentConnection = {
    ...facts,
    prepare: async () => {
      await resolved();
      if (options.record !== undefined) await checkFolder(options.record);
      return connection;
    },
    open: async (open) => {
      const own = await resolved();
      const { callId, wire } = await dial(open);
      return await startCall({ name: facts.name, callId, wire, clock, voice: own, options, open });
    },
  };
  return connection;
}

interface CallParts extends VoiceSetup {
  readonly name: string;
  readonly clock: Pick<Clock, "now" | "pause">;
  readonly voice: CallerVoice;
  readonly options: VoiceOptions;
  readonly open: OpenOptions;
}

async function startCall({ name, callId, wire, clock, voice, options, open }: CallParts): Promise<AgentCall> {
  const { opening = true, hangUpMs = DEFAULT_HANG_UP_MS, record } = options;
  const { signal, pauseClock } = open;
  const turns = { ...DEFAULT_TURNS, ...options.turns };
  const line = new VoiceLine(wire, { name, turns, signal, clock, record });
  /** Runs what is the caller's own, which is no part of the agent's time. */
  const ours = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const resume = pauseClock();
    try {
      return await work();
    } finally {
      resume();
    }
  };
  const written = async (sound: Int16Array | undefined): Promise<readonly AgentEvent[]> => {
    if (!sound) return [];
    const text = await ours(() => voice.transcribe(sound, wire.rate, signal));
    if (text === "") throw unheard(sound.length / wire.rate);
    return [{ kind: "says", text }];
  };
  let number = 0;
  /** The agent's turn after a place at which the caller was silent. */
  const reply = async (after: number): Promise<AgentTurn> => {
    const { first } = await line.listen(after, `agent ${number}`);
    const events = await written(line.take());
    const firstWordMs = first === undefined ? undefined : ((first - after) / wire.rate) * 1000;
    return { events, ...defined({ firstWordMs, ended: ended() }) };
  };
  const ended = () => (line.hasEnded ? ("agent_ended" as const) : undefined);
  try {
    return {
      opening: opening ? await reply(0) : { events: [] },
      say: async (text) => {
        number += 1;
        const words = text.trim() === "" ? undefined : await ours(() => voice.speak(text, wire.rate, signal));
        await line.quiet();
        const before = line.take();
        if (line.hasEnded) return { events: await written(before), ended: "agent_ended" };
        const after = words ? await ours(() => line.speak(words, `caller ${number}`)) : line.now;
        const turn = await reply(after);
        return { ...turn, events: [...(await written(before)), ...turn.events] };
      },
      close: async ({ signal: limit }) => {
        // how a call that broke would have ended is not known
        if (!signal.aborted) await untilAborted(line.hangUpWithin(hangUpMs), limit).catch(() => undefined);
        const recordingUrl = await line.end(callId);
        return { callId, ...defined({ ended: ended(), recordingUrl }) };
      },
    };
  } catch (error) {
    await line.end(callId);
    throw error;
  }
}

/** The agent made sounds, and none of them was a word: as an empty reply, it would look like the agent's choice. */
function unheard(seconds: number): ModelError {
  const state = `the transcription model heard no words in ${seconds.toFixed(1)} s of the agent's sound`;
  return new ModelError(`Cannot write down what the agent said: ${state}`, {
    code: "model-output",
    path: ["transcription"],
    hint: "Use another transcription model; if the agent makes noises, raise turns.levelDb or turns.leastMs",
  });
}

/** @throws {ModelError} `unwritable-file`. */
async function checkFolder(folder: string): Promise<void> {
  try {
    await checkWritable(join(folder, "call.wav"));
  } catch (error) {
    const { state, hint } = fileProblem(error, "write");
    throw new ModelError(`Cannot record calls in "${folder}": ${state}`, {
      code: "unwritable-file",
      path: ["record"],
      hint,
      cause: error,
    });
  }
}
