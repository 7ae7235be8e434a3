import { OPTION, rule } from "../../base/values/mod.ts";
import type { SpeechReference, TranscriptionReference } from "../audio/mod.ts";

/** When the agent's turn begins and ends. Its voice is found by the level of each 20 ms. */
export interface TurnOptions {
  /**
   * How voice is told from other sounds (voice activity detection). `energy`: by its level alone. `silero`: by Silero's
   * model too, so that noise and music are silence, however loud; it needs the packages `onnxruntime-web` and
   * `@ricky0123/vad-web`. Default: `energy`.
   */
  readonly vad?: "energy" | "silero";
  /**
   * Silence after which the agent's turn is over, in milliseconds. Agents that pause for longer, such as for a tool, need
   * more: 800, or 2,500. Default: 500.
   */
  readonly endMs?: number;
  /** Silence after the caller's last word with which an agent does not answer, in milliseconds. Default: 20,000. */
  readonly giveUpMs?: number;
  /** Level from which sound is voice, in decibels below the loudest possible one. Default: -45. */
  readonly levelDb?: number;
  /** Shortest voice, in milliseconds: less than that is a noise, and begins no turn. Default: 100. */
  readonly leastMs?: number;
}

/** How the simulated caller speaks and hears. */
export interface VoiceOptions {
  /** Speech model of the caller. It has to write WAV. Default: `offline`. */
  readonly speech?: SpeechReference;
  /** Transcription model, which writes down what the agent says. Default: `offline`. */
  readonly transcription?: TranscriptionReference;
  /** Voice of the caller, as the speech model names it. Default: the model's own. */
  readonly voice?: string;
  /** ISO 639-1 code of the language for the speech model, such as `de`. Default: the model's own. */
  readonly language?: string;
  /** Maximum number of concurrent requests to the two models, over all calls. Default: 4. */
  readonly concurrency?: number;
  /**
   * Whether the agent speaks first. Default: what is known of the agent, else true. One that should speak first and does not
   * is silent until `turns.giveUpMs` have passed.
   */
  readonly opening?: boolean;
  readonly turns?: TurnOptions;
  /**
   * How long the end of a call waits for the agent to hang up, in milliseconds. At most 8,000. Default: 1,000.
   */
  readonly hangUpMs?: number;
  /**
   * Folder for the recordings: a WAV file a call, with the caller on the left and the agent on the right, and a mark at
   * each turn. Default: calls are not recorded.
   */
  readonly record?: string;
}

/** Whether calls are by voice, and how. `true`: with the default of each option, such as the offline models. */
export type CallVoice = boolean | Omit<VoiceOptions, "opening">;

/** Options of turns, with their defaults. */
export type Turns = Required<TurnOptions>;

/** Defaults of {@link TurnOptions}. */
export const DEFAULT_TURNS: Turns = {
  vad: "energy",
  endMs: 500,
  giveUpMs: 20_000,
  levelDb: -45,
  leastMs: 100,
};

/** Default of `hangUpMs`. */
export const DEFAULT_HANG_UP_MS = 1_000;
/** Closing a call has a time limit of its own. */
const MOST_HANG_UP_MS = 8_000;

const isModel = (value: unknown) => typeof value === "string" || (typeof value === "object" && value !== null);

/** Rules of {@link VoiceOptions}. */
export const VOICE_RULES = {
  speech: rule('"provider/model", "offline", or a speech model of the AI SDK', isModel),
  transcription: rule('"provider/model", "offline", or a transcription model of the AI SDK', isModel),
  voice: OPTION.text,
  language: OPTION.text,
  concurrency: OPTION.count,
  opening: OPTION.switch,
  turns: {
    ...OPTION.object,
    group: {
      vad: rule('"energy" or "silero"', (value) => value === "energy" || value === "silero"),
      endMs: OPTION.milliseconds,
      giveUpMs: OPTION.milliseconds,
      levelDb: rule("a number from -90 to 0", (value) => typeof value === "number" && value >= -90 && value <= 0),
      leastMs: OPTION.fromZero,
    },
  },
  hangUpMs: rule(
    `a number of milliseconds from 0 to ${MOST_HANG_UP_MS}`,
    (value) => typeof value === "number" && value >= 0 && value <= MOST_HANG_UP_MS,
  ),
  record: rule("the path of a folder", (value) => typeof value === "string" && value !== ""),
};
