import { execFile } from "node:child_process";
import { UsageError } from "../../../base/errors.ts";
import { errorCode, isRecord } from "../../../base/values/mod.ts";

/** Where and how git runs. */
export interface GitOptions {
  readonly cwd: string;
  readonly env: { readonly [name: string]: string | undefined };
  readonly signal: AbortSignal;
  /** Path of a temporary index, instead of the repository's. */
  readonly indexFile?: string;
}

/** How a git command ended. */
export interface GitAnswer {
  readonly code: number;
  readonly out: string;
  /** What git wrote to standard output, before it was decoded. */
  readonly bytes: Uint8Array;
  /** What git wrote to standard error, on one line. */
  readonly message: string;
}

const LIMIT_SECONDS = 120;
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * Runs git without password prompts; times out after two minutes.
 *
 * @throws {UsageError} `git-missing`, `git-failed` on a time-out, `aborted`.
 */
export function runGit(args: readonly string[], { cwd, env, signal, indexFile }: GitOptions): Promise<GitAnswer> {
  const options = {
    cwd,
    env: { ...gitEnvironment(env), ...(indexFile === undefined ? {} : { GIT_INDEX_FILE: indexFile }) },
    signal,
    timeout: LIMIT_SECONDS * 1000,
    maxBuffer: MOST_BYTES,
    encoding: "buffer",
    windowsHide: true,
  } as const;
  return new Promise((resolve, reject) => {
    execFile("git", args, options, (error, bytes, err) => {
      const answer = { out: bytes.toString(), bytes, message: err.toString().replace(/\s+/g, " ").trim() };
      if (!error) resolve({ code: 0, ...answer });
      else if (typeof error.code === "number") resolve({ code: error.code, ...answer });
      else reject(gitError(error, signal));
    });
  });
}

/** The error of a git command with a non-zero exit code. */
export function gitFailed(action: string, message: string): UsageError {
  const said = message.replace(/^fatal: /, "");
  return new UsageError(`${action}: git reports "${said}"`, {
    code: "git-failed",
    hint: "Run git status in this folder",
  });
}

function gitError(error: unknown, signal: AbortSignal): UsageError {
  const code = errorCode(error);
  if (signal.aborted)
    return new UsageError("Cannot run git: the command was interrupted", { code: "aborted", hint: "Run it again" });
  if (code === "ENOENT")
    return new UsageError("Cannot run git: it is not installed, or not in PATH", {
      code: "git-missing",
      hint: "Install git, or compare two files",
      cause: error,
    });
  const killed = isRecord(error) && error.killed === true;
  const state = killed ? `it took longer than ${LIMIT_SECONDS} s` : String(isRecord(error) ? error.message : error);
  return new UsageError(`Cannot run git: ${state}`, {
    code: "git-failed",
    hint: "Run git status in this folder",
    cause: error,
  });
}

/**
 * The environment without the variables by which git hooks select their own repository, so that the folder decides, and
 * without prompts.
 */
function gitEnvironment(env: GitOptions["env"]): Record<string, string> {
  const kept = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || (/^GIT_/.test(name) && !/^GIT_(?:CONFIG|SSH|CEILING)/.test(name))
      ? []
      : [[name, value] as const],
  );
  return { ...Object.fromEntries(kept), GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0", GIT_LFS_SKIP_SMUDGE: "1" };
}
