import type { AudioOptions, PhoneLine } from "../../../call/audio/mod.ts";
import { type Arguments, type Flag, usage } from "../arguments/mod.ts";
import type { Terminal } from "../io/mod.ts";

const DIRECTIONS = ["agent", "both"] as const;
/** Models of OpenAI, and of the server at OPENAI_BASE_URL. */
const OPENAI = { speech: "openai/gpt-4o-mini-tts", transcription: "openai/gpt-4o-mini-transcribe" };
const LINE_HINT = "Write --line off, or what the line does: --line snr=20,loss=0.02,seed=7";

/** Flags that send the words of calls through audio. */
export const AUDIO_FLAGS = {
  audio: {
    value: "agent|both",
    implied: { value: "agent", among: DIRECTIONS },
    description: "Send the agent's words, or both sides' words, through speech and transcription (default: agent)",
  },
  "speech-model": {
    value: "MODEL",
    description: "With --audio: provider/model or offline, which is espeak-ng (default: from the environment)",
  },
  "transcription-model": {
    value: "MODEL",
    description: "With --audio: provider/model or offline, which is pocketsphinx (default: from the environment)",
  },
  voice: { value: "NAME", description: "With --audio: the agent's voice, as the speech model names it" },
  "caller-voice": { value: "NAME", description: "With --audio both: the caller's voice (default: the agent's)" },
  line: {
    value: "snr=DB,loss=SHARE,seed=N",
    description: "With --audio: telephone line with noise and lost packets, or off (default: a clean line with both)",
  },
  "audio-only": { description: "With --audio both: do not run each call again in text for comparison" },
  "audio-out": { value: "DIR", description: "With --audio: write the sound of each message to this folder" },
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
  const direction = DIRECTIONS.find((each) => each === text);
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
