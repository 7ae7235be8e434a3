import { join } from "node:path";
import { ModelError } from "../../base/errors.ts";
import { checkWritable, fileProblem } from "../../base/files/mod.ts";
import { type Clock, defined, madeOnce, untilAborted } from "../../base/values/mod.ts";
import { type CallerAct, msBefore, type PlannedInterruption } from "../../document/scenario/mod.ts";
import type {
  AgentCall,
  AgentConnection,
  AgentEvent,
  AgentTurn,
  OpenOptions,
  PrepareOptions,
} from "../connection/mod.ts";
import { CallFigures } from "./call_figures.ts";
import { holdMusic, KEY_MS, lineEffects, withBeep } from "./caller_sounds.ts";
import type { Spoken } from "./caller_speech.ts";
import { type CallerVoice, createCallerVoice } from "./caller_voice.ts";
import { CALL_CLOCK } from "./frame_clock.ts";
import { DEFAULT_HANG_UP_MS, DEFAULT_TURNS, type VoiceOptions } from "./options.ts";
import { loadSilero, type SpeechDetector } from "./speech_detector.ts";
import type { TurnPart } from "./turn_parts.ts";
import { VoiceLine } from "./voice_line.ts";
import type { VoiceSetup } from "./voice_wire.ts";

/** What is known of an agent besides its calls. */
export type VoiceFacts = Omit<AgentConnection, "prepare" | "open">;

/** What calls by voice need besides the options of the user. */
export interface VoiceParts {
  /** Connects to the agent. */
  readonly dial: (open: OpenOptions) => Promise<VoiceSetup>;
  /** Looks the agent up before a run: what is known of it then, and how it is connected to. */
  readonly look?: (request: PrepareOptions) => Promise<{ readonly facts: VoiceFacts } & Pick<VoiceParts, "dial">>;
  /** Default: made of the models of the options. */
  readonly voice?: CallerVoice;
  /** Loads what tells speech from other sounds, for `turns.vad: "silero"`. Default: Silero's model. */
  readonly loadDetector?: () => Promise<SpeechDetector>;
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
  facts: VoiceFacts,
  options: VoiceOptions,
  { dial, look, voice, loadDetector = loadSilero, clock = CALL_CLOCK }: VoiceParts,
): AgentConnection {
  const resolved = madeOnce(async () => voice ?? (await createCallerVoice(options)));
  const loaded = madeOnce(loadDetector);
  const detector = async () => (options.turns?.vad === "silero" ? await loaded() : undefined);
  const connection: AgentConnection = {
    ...facts,
    prepare: async (request) => {
      const own = await resolved();
      if (options.record !== undefined) await checkFolder(options.record);
      await detector();
      const found = await look?.(request);
      if (!found) return connection;
      return voiceConnection(found.facts, options, { dial: found.dial, voice: own, loadDetector: loaded, clock });
    },
    open: async (open) => {
      const own = await resolved();
      const parts = { facts, clock, voice: own, detector: await detector(), options, open };
      return await startCall({ ...parts, ...(await dial(open)) });
    },
  };
  return connection;
}

interface CallParts extends VoiceSetup {
  readonly facts: VoiceFacts;
  readonly clock: Pick<Clock, "now" | "pause">;
  readonly voice: CallerVoice;
  readonly detector: SpeechDetector | undefined;
  readonly options: VoiceOptions;
  readonly open: OpenOptions;
}

async function startCall({ facts, clock, voice, detector, options, open, ...setup }: CallParts): Promise<AgentCall> {
  const { callId, wire } = setup;
  const { name, capabilities } = facts;
  const { opening = capabilities.opening, hangUpMs = DEFAULT_HANG_UP_MS, record } = options;
  const { signal, pauseClock, speaks } = open;
  const turns = { ...DEFAULT_TURNS, ...options.turns };
  const figures = new CallFigures(wire.rate);
  let number = 0;
  const line = new VoiceLine(wire, {
    ...{ name, turns, signal, clock, detector, record },
    effects: lineEffects(speaks),
    onMark: (place, label) => {
      const [speaker, turn] = label.split(" ");
      figures.turn(speaker === "caller" ? "caller" : "agent", Number(turn), place);
    },
    onHeard: (text, corrects) => figures.heard(number, text, corrects),
  });
  const msOf = (samples: number) => (samples / wire.rate) * 1000;
  /** Runs what is the caller's own, which is no part of the agent's time. */
  const ours = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const resume = pauseClock();
    try {
      return await work();
    } finally {
      resume();
    }
  };
  /** The node before the parts of a turn that were not taken yet. */
  let node = setup.node?.();
  const take = (until?: number) => {
    const taken = { parts: line.take(until), at: node };
    node = setup.node?.();
    return taken;
  };
  const written = async ({ parts, at }: ReturnType<typeof take>): Promise<readonly AgentEvent[]> => {
    const turn = number;
    const write = async (part: TurnPart): Promise<AgentEvent> => {
      if (part.kind === "did") return part.event;
      const text = await voice.transcribe(part.sound, wire.rate, signal);
      if (text === "") throw unheard(part.sound.length / wire.rate);
      figures.agentSaid(turn, text, part.reported);
      return { kind: "says", text, ...defined({ reported: part.reported }) };
    };
    const hears = parts.some(({ kind }) => kind === "heard");
    const all = () => Promise.all(parts.map(write));
    const events = hears ? await ours(all) : await all();
    return at === undefined ? events : [{ kind: "node", node: at }, ...events];
  };
  const speech = async (text: string) => await voice.speak(text, wire.rate, signal, speaks);
  /** The sound of what the caller does; empty for what makes none. */
  const soundOf = async (act: CallerAct): Promise<Int16Array> => {
    if (act.kind === "music") return holdMusic(act.ms, wire.rate);
    if (act.kind === "voicemail") return withBeep(await ours(() => speech(act.text)), wire.rate);
    if (act.kind !== "words" || act.text.trim() === "") return new Int16Array(0);
    const words = await ours(() => speech(act.text));
    return act.cut ? words.subarray(0, Math.ceil(words.length / 2)) : words;
  };
  /** Whether the caller has hung up. */
  let isGone = false;
  /** What the caller has said over the agent, and where the agent's reply ends for it. */
  let saidOver: { readonly spoken: Spoken; readonly after: number } | undefined;

  /** The agent's turn after a place at which the caller was silent, and the words of the caller that cut it off. */
  const reply = async (after: number, lastWord: number, ahead: PlannedInterruption | undefined): Promise<AgentTurn> => {
    const turn = number;
    const over = ahead && {
      afterMs: msBefore(ahead.after),
      sound: await soundOf(ahead.act),
      label: `caller ${turn + 1}`,
    };
    const { first, interruptedAt } = await line.listen(after, `agent ${turn}`, over);
    if (first !== undefined) figures.pause(turn, line.longestPauseMs(lastWord, interruptedAt ?? line.now));
    const firstWordMs = first === undefined ? undefined : msOf(first - lastWord);
    if (!ahead || first === undefined || interruptedAt === undefined) {
      const events = await written(take());
      return { events, ...defined({ firstWordMs, ended: line.ended }) };
    }
    const found = { turn: turn + 1, afterMs: msOf(interruptedAt - first), atMs: msOf(interruptedAt) };
    if (ahead.act.kind === "hang-up") {
      isGone = true;
      const events = await written(take(interruptedAt));
      return { events, interruption: { ...found, stoppedMs: null }, ...defined({ firstWordMs }) };
    }
    if (ahead.act.kind === "keys") await press(ahead.act.keys);
    const spoken =
      over && over.sound.length > 0 ? await ours(() => line.spoken()) : { first: interruptedAt, last: line.now };
    const limit = spoken.last + Math.round((TALKS_ON_MS * wire.rate) / 1000);
    const stop = await line.stopped(spoken, limit);
    const interruption = { ...found, stoppedMs: stop === undefined ? null : msOf(stop - spoken.first) };
    figures.interruption(interruption);
    // an agent that talks on is heard until the caller has finished
    const end = stop ?? spoken.last;
    if (end < spoken.last) figures.overlap(turn + 1, line.voicedMs(end, spoken.last));
    saidOver = { spoken, after: Math.max(end, spoken.last) };
    const events = await written(take(end));
    return { events, interruption, ...defined({ firstWordMs, ended: line.ended }) };
  };
  const press = async (keys: string): Promise<void> => {
    for (const key of keys) {
      line.press(key);
      await line.wait(KEY_MS);
    }
  };

  const act = async (
    did: CallerAct,
    { ahead }: { readonly ahead?: PlannedInterruption | undefined },
  ): Promise<AgentTurn> => {
    number += 1;
    const turn = number;
    const over = saidOver;
    saidOver = undefined;
    if (did.kind === "words") figures.said(turn, did.text);
    if (over) {
      // what the agent says over the caller is no answer
      const between = take(over.after);
      if (line.ended) return { events: await written(between), ended: line.ended };
      const answer = await reply(over.after, over.spoken.last, ahead);
      return { ...answer, events: [...(await written(between)), ...answer.events] };
    }
    const sound = await soundOf(did);
    await line.quiet();
    const before = take();
    if (line.ended) return { events: await written(before), ended: line.ended };
    if (did.kind === "keys") await press(did.keys);
    const label = `caller ${turn}`;
    const spoken = sound.length > 0 ? await ours(() => line.speak(sound, label)) : { first: line.now, last: line.now };
    figures.overlap(turn, line.voicedMs(spoken.first, spoken.last));
    isGone = did.kind === "words" && did.cut === true;
    if (isGone) return { events: await written(before) };
    if (did.kind === "silence" || did.kind === "music") {
      if (did.kind === "silence") await ours(() => line.wait(did.ms));
      // what the agent has begun to say, it says to its end
      await line.quiet();
      const events = [...(await written(before)), ...(await written(take()))];
      return { events, ...defined({ ended: line.ended }) };
    }
    const answer = await reply(spoken.last, spoken.last, ahead);
    return { ...answer, events: [...(await written(before)), ...answer.events] };
  };
  try {
    return {
      opening: opening ? await reply(0, 0, open.ahead) : { events: [] },
      act,
      say: (text) => act({ kind: "words", text }, {}),
      close: async ({ signal: limit }) => {
        // how a call that broke would have ended is not known, and a caller who hangs up does not wait
        if (!signal.aborted && !isGone) await untilAborted(line.wait(hangUpMs), limit).catch(() => undefined);
        const recordingUrl = await line.end(callId);
        const heard = figures.record(capabilities.transcripts === true);
        const own = { callId, voice: heard, ...defined({ ended: isGone ? undefined : line.ended, recordingUrl }) };
        if (signal.aborted || !setup.record) return own;
        return { ...(await setup.record({ signal: limit, said: number })), ...own };
      },
    };
  } catch (error) {
    await line.end(callId);
    throw error;
  }
}

/** Time after the caller's last word with which an agent that was interrupted talks on, in milliseconds. */
const TALKS_ON_MS = 3_000;

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
