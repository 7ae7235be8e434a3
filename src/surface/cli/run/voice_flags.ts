import { speaks } from "../../../../platforms/connections/mod.ts";
import { defined } from "../../../base/values/mod.ts";
import type { CallVoice } from "../../../call/voice/mod.ts";
import { AUDIO_SETTINGS } from "../../../document/settings/mod.ts";
import { namedVoice, OWN_VOICE, soundModels } from "../../project/mod.ts";
import { type Arguments, type Flag, usage, withoutFlags } from "../arguments.ts";
import type { Terminal } from "../io/mod.ts";

/** Flags of calls by voice; with `--audio`, they are about the run's audio. */
export const VOICE_FLAGS = {
  voice: { ...AUDIO_SETTINGS.voice, implied: { value: OWN_VOICE } },
  "speech-model": AUDIO_SETTINGS["speech-model"],
  "transcription-model": AUDIO_SETTINGS["transcription-model"],
} satisfies { readonly [name: string]: Flag };

const NAMES = Object.keys(VOICE_FLAGS);

/** Whether the flags are about calls by voice. */
function areOfCalls(args: Arguments): boolean {
  return args.text("audio") === undefined && NAMES.some((name) => args.text(name) !== undefined);
}

/** The arguments of the run beside the calls, which are by voice if flags of voice are about them. */
export function withoutVoice(args: Arguments): Arguments {
  return areOfCalls(args) ? withoutFlags(args, NAMES) : args;
}

/**
 * How the calls to an agent of a platform are spoken; `undefined`: in text, or as the platform always does.
 *
 * @throws {UsageError} `usage` for flags of voice without `--voice`, on a platform that has text, too.
 */
export function voiceOf(platform: string, args: Arguments, { env }: Pick<Terminal, "env">): CallVoice | undefined {
  const isAlways = speaks(platform) === "always";
  if (!areOfCalls(args) && !(isAlways && args.text("audio") === undefined)) return undefined;
  const voice = args.text("voice");
  const [speech, transcription] = [args.text("speech-model"), args.text("transcription-model")];
  if (voice === undefined && !isAlways) {
    const name = speech === undefined ? "transcription-model" : "speech-model";
    throw usage(`--${name} is passed without --voice`, "Add --voice, or --audio");
  }
  return { ...soundModels({ speech, transcription }, env), ...defined({ voice: namedVoice(voice) }) };
}

/** @throws {UsageError} `usage` if flags of voice are passed for a connection that a module has made. */
export function refuseVoice(args: Arguments, path: string): void {
  if (areOfCalls(args))
    throw usage(`--voice is for agents of platforms, and "${path}" is a module`, "Set voice in the module");
}
