import { Buffer } from "node:buffer";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TranscriptionModelV3 } from "@ai-sdk/provider";
import { isCallweaveError } from "../../../base/errors.ts";
import { isRecord } from "../../../base/values/mod.ts";
import { atRate, readWave, writeWave } from "../line/mod.ts";
import { runInstalledProgram } from "./run_program.ts";

/** Rate of the sound that the English model was trained with. */
const MODEL_RATE = 16_000;
const PACKAGES = "pocketsphinx pocketsphinx-en-us";

/**
 * A transcription model of the AI SDK around pocketsphinx, a local program, with its general English model:
 * deterministic, no key, no network. It hears far less well than the models of providers. Version 0.8 and version 5 of
 * the program are supported.
 *
 * @throws {ModelError} From `doGenerate`: `missing-program`, `model-failed`, `model-timeout`, `audio-format`.
 */
export function offlineTranscription(): TranscriptionModelV3 {
  return {
    specificationVersion: "v3",
    provider: "callweave",
    modelId: "pocketsphinx",
    doGenerate: async ({ audio, abortSignal }) => {
      const bytes = typeof audio === "string" ? new Uint8Array(Buffer.from(audio, "base64")) : audio;
      const sound = await atRate(await readWave(bytes), MODEL_RATE);
      const durationInSeconds = sound.samples.length / MODEL_RATE;
      const text = await inFile(await writeWave(sound), (path) => recognized(path, abortSignal));
      return {
        text,
        segments: text === "" ? [] : [{ text, startSecond: 0, endSecond: durationInSeconds }],
        language: "en",
        durationInSeconds,
        warnings: [],
        response: { timestamp: new Date(), modelId: "pocketsphinx" },
      };
    },
  };
}

/** Writes sound to a temporary file that only this user can read: pocketsphinx reads no pipes. */
async function inFile<Result>(sound: Uint8Array, work: (path: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "callweave-audio-"));
  try {
    const path = join(folder, "sound.wav");
    await writeFile(path, sound, { mode: 0o600 });
    return await work(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function recognized(path: string, signal: AbortSignal | undefined): Promise<string> {
  const old = ["-infile", path, "-logfn", "/dev/null", "-remove_noise", "no"];
  try {
    const output = await runInstalledProgram(
      { command: "pocketsphinx_continuous", args: old, packages: PACKAGES },
      signal,
    );
    return lines(output).join(" ");
  } catch (error) {
    if (!isCallweaveError(error) || error.code !== "missing-program") throw error;
  }
  const output = await runInstalledProgram(
    { command: "pocketsphinx", args: ["single", path], packages: PACKAGES },
    signal,
  );
  return lines(output).map(textOf).join(" ").trim();
}

function lines(output: Uint8Array): readonly string[] {
  return new TextDecoder()
    .decode(output)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Version 5 writes a JSON object a line, with the text in `t`. */
function textOf(line: string): string {
  const parsed: unknown = JSON.parse(line);
  return isRecord(parsed) && typeof parsed.t === "string" ? parsed.t : "";
}
