import { defined } from "../../../base/values/mod.ts";
import type { AudioOptions, PhoneLine } from "../../../call/audio/mod.ts";
import { AUDIO_SETTINGS, type RunSettings, settingKey } from "../../../document/settings/mod.ts";
import type { Environment } from "../reader.ts";
import type { SettingName, Wording } from "./wording.ts";

/** Models of OpenAI, and of the server at OPENAI_BASE_URL. */
const OPENAI = { speech: "openai/gpt-4o-mini-tts", transcription: "openai/gpt-4o-mini-transcribe" };

const NAMES = Object.keys(AUDIO_SETTINGS).filter((name): name is keyof typeof AUDIO_SETTINGS => name in AUDIO_SETTINGS);

/**
 * The audio of a run; `undefined` without the setting `audio`.
 *
 * @throws {UsageError} For settings that need another one, and lines that cannot be read.
 */
export function audioOf(settings: RunSettings, env: Environment, wording: Wording): AudioOptions | undefined {
  const { audio: direction, voice, caller_voice: callerVoice, audio_out: keep } = settings;
  const { written, problem } = wording;
  if (direction === undefined) {
    const other = NAMES.find((name) => isSet(settings, name));
    if (other === undefined) return undefined;
    const hint = `Add ${written("audio")}, or ${written("audio", "both")}`;
    throw problem(`${written(other)} is passed without ${written("audio")}`, hint);
  }
  if (direction === "agent" && settings.audio_only)
    throw problem(
      `${written("audio-only")} is passed without ${written("audio", "both")}`,
      "Leave it out: the agent's words need no second call",
    );
  const isOpenAi = Boolean(env.OPENAI_API_KEY || env.OPENAI_BASE_URL);
  return {
    direction,
    speech: settings.speech_model ?? (isOpenAi ? OPENAI.speech : "offline"),
    transcription: settings.transcription_model ?? (isOpenAi ? OPENAI.transcription : "offline"),
    ...defined({ voice, callerVoice, keep, line: lineOf(settings.line, wording) }),
    ...(settings.audio_only ? { compareWithText: false } : {}),
  };
}

function isSet(settings: RunSettings, name: SettingName): boolean {
  const value = new Map(Object.entries(settings)).get(settingKey(name));
  return value !== undefined && value !== false;
}

/** Reads the line: `off`, or `snr=20,loss=0.02,seed=7` and parts of it. */
function lineOf(text: string | undefined, { written, problem }: Wording): PhoneLine | false | undefined {
  if (text === undefined) return undefined;
  if (text === "off") return false;
  const parts = text.split(",").map((part) => /^(snr|loss|seed)=(-?\d+(?:\.\d+)?)$/.exec(part.trim()));
  const values = new Map(parts.map((part) => [part?.[1], Number(part?.[2])]));
  const loss = values.get("loss") ?? 0;
  if (values.has(undefined) || values.size < parts.length || loss < 0 || loss > 1) {
    const example = written("line", "snr=20,loss=0.02,seed=7");
    throw problem(
      `${written("line")} is "${text}"`,
      `Write ${written("line", "off")}, or what the line does: ${example}`,
    );
  }
  const [snrDb, packetLoss, seed] = [values.get("snr"), values.get("loss"), values.get("seed")];
  return defined({ snrDb, packetLoss, seed });
}
