import type { AudioOptions, PhoneLine } from "../../../call/audio/mod.ts";
import { AUDIO_DIRECTIONS, AUDIO_SETTINGS } from "../../../document/settings/mod.ts";
import { type Arguments, type Flag, usage } from "../arguments/mod.ts";
import type { Terminal } from "../io/mod.ts";

/** Models of OpenAI, and of the server at OPENAI_BASE_URL. */
const OPENAI = { speech: "openai/gpt-4o-mini-tts", transcription: "openai/gpt-4o-mini-transcribe" };
const LINE_HINT = "Write --line off, or what the line does: --line snr=20,loss=0.02,seed=7";

/** Flags that send the words of calls through audio. */
export const AUDIO_FLAGS = {
  ...AUDIO_SETTINGS,
  audio: { ...AUDIO_SETTINGS.audio, implied: { value: "agent", among: AUDIO_DIRECTIONS } },
} satisfies { readonly [name: string]: Flag };

/**
 * Reads the audio of a run from the flags; `undefined` without `--audio`.
 *
 * @throws {UsageError} `usage`.
 */
export function readAudio(args: Arguments, { env }: Pick<Terminal, "env">): AudioOptions | undefined {
  const text = args.text("audio");
  if (text === undefined) {
    const other = Object.keys(AUDIO_FLAGS).find((flag) => args.text(flag) !== undefined || args.has(flag));
    if (other !== undefined) throw usage(`--${other} is passed without --audio`, "Add --audio, or --audio both");
    return undefined;
  }
  const direction = AUDIO_DIRECTIONS.find((each) => each === text);
  if (!direction) throw usage(`--audio is "${text}"`, "Write --audio agent or --audio both");
  if (direction === "agent" && args.has("audio-only"))
    throw usage("--audio-only is passed without --audio both", "Leave it out: the agent's words need no second call");
  const isOpenAi = Boolean(env.OPENAI_API_KEY || env.OPENAI_BASE_URL);
  const [voice, callerVoice, keep] = [args.text("voice"), args.text("caller-voice"), args.text("audio-out")];
  const line = readLine(args.text("line"));
  return {
    direction,
    speech: args.text("speech-model") ?? (isOpenAi ? OPENAI.speech : "offline"),
    transcription: args.text("transcription-model") ?? (isOpenAi ? OPENAI.transcription : "offline"),
    ...(voice === undefined ? {} : { voice }),
    ...(callerVoice === undefined ? {} : { callerVoice }),
    ...(keep === undefined ? {} : { keep }),
    ...(line === undefined ? {} : { line }),
    ...(args.has("audio-only") ? { compareWithText: false } : {}),
  };
}

/** Reads the line: `off`, or `snr=20,loss=0.02,seed=7` and parts of it. */
function readLine(text: string | undefined): PhoneLine | false | undefined {
  if (text === undefined) return undefined;
  if (text === "off") return false;
  const parts = text.split(",").map((part) => /^(snr|loss|seed)=(-?\d+(?:\.\d+)?)$/.exec(part.trim()));
  const values = new Map(parts.map((part) => [part?.[1], Number(part?.[2])]));
  const loss = values.get("loss") ?? 0;
  if (values.has(undefined) || values.size < parts.length || loss < 0 || loss > 1)
    throw usage(`--line is "${text}"`, LINE_HINT);
  const [snrDb, packetLoss, seed] = [values.get("snr"), values.get("loss"), values.get("seed")];
  return {
    ...(snrDb === undefined ? {} : { snrDb }),
    ...(packetLoss === undefined ? {} : { packetLoss }),
    ...(seed === undefined ? {} : { seed }),
  };
}
