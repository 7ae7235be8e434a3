import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import process from "node:process";
import { importAgent } from "../../../../platforms/mod.ts";
import { isCallweaveError, UsageError } from "../../../base/errors.ts";
import { decodedText, inFile } from "../../../base/files/mod.ts";
import { errorCode, isRecord } from "../../../base/values/mod.ts";
import { type AgentGraph, agentName } from "../../../document/graph/mod.ts";
import { isModulePath, loadSource } from "../../project/mod.ts";
import type { Terminal } from "../io/mod.ts";

/** One side of a comparison. */
export interface ComparedVersion {
  readonly graph: AgentGraph;
  /** The agent's name, else the file's. */
  readonly name: string;
}

/** Selects one of several agents. */
export interface VersionOptions {
  readonly exportName?: string | undefined;
  readonly format?: string | undefined;
}

/**
 * Loads a side of a comparison: a module or JSON of any format, in the working tree or at a git revision, `REV:PATH`.
 *
 * @throws {UsageError} As loading a source, and `git-missing`, `git-failed`, `unknown-revision`, `aborted`.
 */
export async function loadVersion(text: string, terminal: Terminal, options: VersionOptions): Promise<ComparedVersion> {
  const committed = readRevisionPath(text);
  if (!committed) return await loadSource(text, terminal, options);
  const git = { cwd: process.cwd(), env: terminal.env, signal: terminal.signal };
  return isModulePath(committed.path)
    ? await loadModuleAt(committed, git, terminal, options)
    : await loadJsonAt(committed, git, options);
}

async function loadModuleAt(
  at: RevisionPath,
  git: GitOptions,
  terminal: Terminal,
  options: VersionOptions,
): Promise<ComparedVersion> {
  await using checkout = await checkOut(await findCommitted(at, git), git);
  try {
    return await loadSource(checkout.file, terminal, options);
  } catch (error) {
    throw named(error, checkout.file, `${at.revision}:${at.path}`);
  }
}

async function loadJsonAt(at: RevisionPath, git: GitOptions, { format }: VersionOptions): Promise<ComparedVersion> {
  const name = `${at.revision}:${at.path}`;
  const { top, commit, path } = await findCommitted(at, git);
  const { code, bytes, message } = await runGit(["show", `${commit}:${path}`], { ...git, cwd: top });
  if (code !== 0) throw gitFailed(`Cannot read "${name}"`, message);
  try {
    const { graph } = importAgent(decodedText(bytes, `"${name}"`), format === undefined ? {} : { format });
    return { graph, name: agentName(graph) ?? basename(path).replace(/(?:\.vt)?\.json$/, "") };
  } catch (error) {
    throw inFile(error, name);
  }
}

/** The same error with the revision's name in place of the temporary file. */
function named(error: unknown, file: string, name: string): unknown {
  if (!isCallweaveError(error)) return error;
  const { code, path, hint, message } = error;
  return new UsageError(message.replaceAll(file, name), {
    code,
    path,
    hint: hint.replaceAll(file, name),
    cause: error,
  });
}

/** All files of a commit in a temporary folder, which is deleted on disposal. */
export interface Checkout extends AsyncDisposable {
  /** The committed file in that folder. */
  readonly file: string;
}

/**
 * Writes the files of a commit to a temporary folder, so that imports resolve to that revision.
 * Installed packages are linked from the working tree. The repository's index and working tree are not touched.
 *
 * @throws {UsageError} `git-missing`, `git-failed`, `aborted`.
 */
export async function checkOut({ top, commit, path }: CommittedFile, options: GitOptions): Promise<Checkout> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), "callweave-diff-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  const tree = join(folder, "tree");
  const indexFile = join(folder, "index");
  try {
    for (const args of [
      ["read-tree", commit],
      ["checkout-index", "--all", "--force", `--prefix=${tree}/`],
    ]) {
      const { code, message } = await runGit(args, { ...options, cwd: top, indexFile });
      if (code !== 0) throw gitFailed(`Cannot check out ${commit.slice(0, 12)}`, message);
    }
    await linkPackages(top, tree, path);
  } catch (error) {
    await remove();
    throw error;
  }
  return { file: join(tree, path), [Symbol.asyncDispose]: remove };
}

/** Links `node_modules` of every folder from the top down to the file. */
async function linkPackages(top: string, tree: string, path: string): Promise<void> {
  const folders = path.split("/").slice(0, -1);
  for (let depth = 0; depth <= folders.length; depth++) {
    const packages = join(...folders.slice(0, depth), "node_modules");
    const [from, to] = [join(top, packages), join(tree, packages)];
    if (existsSync(from) && !existsSync(to)) await symlink(from, to, "junction");
  }
}

/** A file at a revision, as typed: `HEAD~1:agents/flow.ts`. */
export interface RevisionPath {
  readonly revision: string;
  readonly path: string;
}

/** A file at a commit of a repository. */
export interface CommittedFile {
  /** The folder of the working tree. */
  readonly top: string;
  /** Full id of the commit. */
  readonly commit: string;
  /** Path in the repository, with slashes. */
  readonly path: string;
}

/** Splits `REV:PATH`, git's notation. `undefined` for a file that exists and for a path with a drive letter. */
function readRevisionPath(text: string): RevisionPath | undefined {
  const at = text.indexOf(":");
  if (at < 1 || at === text.length - 1 || /^[A-Za-z]:[\\/]/.test(text) || existsSync(text)) return undefined;
  return { revision: text.slice(0, at), path: text.slice(at + 1) };
}

/**
 * Finds the commit of a revision and the file in its repository. As in git, a path counts from the top of the
 * repository; one that begins with `./` or `../` counts from the current folder.
 *
 * @throws {UsageError} `git-missing`, `git-failed`, `unknown-revision`, `unreadable-file`, `aborted`.
 */
export async function findCommitted({ revision, path }: RevisionPath, options: GitOptions): Promise<CommittedFile> {
  const name = `${revision}:${path}`;
  const isFromHere = isAbsolute(path) || /^\.{1,2}[\\/]/.test(path);
  const file = resolve(options.cwd, path);
  const cwd = isFromHere ? existingFolder(dirname(file)) : options.cwd;
  const git = async (...args: readonly string[]) => await runGit(args, { ...options, cwd });

  const place = await git("rev-parse", "--show-toplevel", "--show-prefix");
  if (place.code !== 0) throw gitFailed(`Cannot read "${name}"`, place.message);
  const [top = "", prefix = ""] = place.out.split(/\r?\n/);
  const isFlag = revision.startsWith("-"); // older versions of git have no --end-of-options here
  const found = isFlag ? undefined : await git("rev-parse", "--verify", "--quiet", `${revision}^{commit}`);
  if (found?.code !== 0)
    throw new UsageError(`Cannot read "${name}": git knows no commit "${revision}"`, {
      code: "unknown-revision",
      hint: "Check the name with git log, or fetch it: a shallow clone has only the newest commits",
    });
  const commit = found.out.trim();
  const inside = isFromHere ? join(prefix, relative(cwd, file)) : path;
  const slashed = inside.replaceAll("\\", "/");
  const exists = await git("cat-file", "-e", `${commit}:${slashed}`);
  if (exists.code !== 0)
    throw new UsageError(`Cannot read "${name}": there is no such file in that revision`, {
      code: "unreadable-file",
      hint: "Write the path from the top of the repository, or with ./ from the current folder",
    });
  return { top, commit, path: slashed };
}

/** The closest folder above that exists; the file's own folder may have been deleted since. */
function existingFolder(folder: string): string {
  const above = dirname(folder);
  return existsSync(folder) || above === folder ? folder : existingFolder(above);
}

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
function runGit(args: readonly string[], { cwd, env, signal, indexFile }: GitOptions): Promise<GitAnswer> {
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
function gitFailed(action: string, message: string): UsageError {
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
