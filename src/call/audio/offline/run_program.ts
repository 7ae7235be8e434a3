import { spawn } from "node:child_process";
import { ModelError } from "../../../base/errors.ts";

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
      if (code === 0) resolve(joined(parts, size));
      else reject(failed(command, words.trim().split("\n").at(-1) || `it ended with code ${code}`));
    });
    child.stdin.end(input);
  });
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
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
