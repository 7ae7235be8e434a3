import { Buffer } from "node:buffer";
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SpeechModelV3, TranscriptionModelV3 } from "@ai-sdk/provider";
import { isCallweaveError, ModelError } from "../../base/errors.ts";
import { isRecord, joinBytes } from "../../base/values/mod.ts";
import { atRate, readWave, writeWave } from "./line.ts";

/** pocketsphinx understands this voice of espeak-ng best. */
const VOICE = "en-us+klatt3";
const WORDS_PER_MINUTE = 150;

/**
 * A speech model of the AI SDK around espeak-ng, a local program: deterministic, no key, no network. Its voices
 * are those of `espeak-ng --voices`; unknown names fall back to its default voice.
 *
 * @throws {ModelError} From `doGenerate`: `missing-program`, `model-failed`, `model-timeout`.
 */
export function offlineSpeech(): SpeechModelV3 {
  return {
    specificationVersion: "v3",
    provider: "callweave",
    modelId: "espeak-ng",
    doGenerate: async ({ text, voice, language, speed = 1, abortSignal }) => {
      const spoken = voice ?? (language === undefined || language === "en" ? VOICE : language);
      const rate = String(Math.round(WORDS_PER_MINUTE * speed));
      const audio = await runInstalledProgram(
        {
          command: "espeak-ng",
          args: ["--stdin", "--stdout", "-b", "1", "-s", rate, "-v", spoken],
          packages: "espeak-ng",
          input: text,
        },
        abortSignal,
      );
      return { audio, warnings: [], response: { timestamp: new Date(), modelId: "espeak-ng" } };
    },
  };
}

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
      const sound = atRate(await readWave(bytes), MODEL_RATE);
      const durationInSeconds = sound.samples.length / MODEL_RATE;
      const text = await inFile(writeWave(sound), (path) => recognized(path, abortSignal));
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

/** Maximum time that a program runs, unless its caller sets a shorter limit: 5 minutes. */
const LIMIT_MS = 300_000;
/** Maximum size of a program's output in bytes: 50 minutes of sound. */
const MOST_BYTES = 128 * 1024 * 1024;

/** An installed program and its Debian package. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  /** Debian packages that contain it. */
  readonly packages: string;
  /** Written to its standard input. */
  readonly input?: string;
}

/**
 * Runs an installed program and returns its standard output. Aborting kills it.
 *
 * @throws {ModelError} `missing-program`; `model-failed` when it fails; `model-timeout` after 5 minutes; what the signal
 *   was aborted with.
 */
export async function runInstalledProgram(program: Program, signal?: AbortSignal): Promise<Uint8Array> {
  signal?.throwIfAborted();
  const { command, args, input = "" } = program;
  return await new Promise((resolve, reject) => {
    const child = spawn(command, [...args], { stdio: ["pipe", "pipe", "pipe"] });
    const parts: Uint8Array[] = [];
    let size = 0;
    let words = "";
    const stop = (reason: unknown) => {
      reject(reason);
      child.kill("SIGKILL");
    };
    const abort = () => stop(signal?.reason);
    const timer = setTimeout(() => stop(late(command)), LIMIT_MS);
    signal?.addEventListener("abort", abort, { once: true });
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
    child.stdin.on("error", () => {}); // the exit code reports a program that ends before it has read everything
    child.stdout.on("data", (part: Uint8Array) => {
      size += part.length;
      if (size > MOST_BYTES) stop(failed(command, "it wrote too much"));
      else parts.push(part);
    });
    child.stderr.on("data", (part: Uint8Array) => {
      words = (words + new TextDecoder().decode(part)).slice(-2000);
    });
    child.on("error", (error) => {
      done();
      reject("code" in error && error.code === "ENOENT" ? missing(program) : failed(command, error.message));
    });
    child.on("close", (code) => {
      done();
      if (code === 0) resolve(joinBytes(parts));
      else reject(failed(command, words.trim().split("\n").at(-1) || `it ended with code ${code}`));
    });
    child.stdin.end(input);
  });
}

function missing({ command, packages }: Program): ModelError {
  return new ModelError(`Cannot run "${command}": the program is not installed`, {
    code: "missing-program",
    path: [command],
    hint: `Install it (on Debian: apt-get install ${packages}), or name other models for audio`,
  });
}

function failed(command: string, words: string): ModelError {
  return new ModelError(`Cannot run "${command}": ${words}`, {
    code: "model-failed",
    path: [command],
    hint: "Run the program manually to see its error",
  });
}

function late(command: string): ModelError {
  return new ModelError(`Cannot run "${command}": it did not finish within ${LIMIT_MS} ms`, {
    code: "model-timeout",
    path: [command],
    hint: "Speak shorter texts, or use another model",
  });
}
