import { basename } from "node:path";
import process from "node:process";
import { importAgent } from "../../../../platforms/mod.ts";
import { isCallweaveError, UsageError } from "../../../base/errors.ts";
import { decodedText, inFile } from "../../../base/files/mod.ts";
import { type AgentGraph, agentName } from "../../../document/graph/mod.ts";
import { isModulePath, loadSource } from "../../project/mod.ts";
import type { Terminal } from "../io/mod.ts";
import { checkOut } from "./checkout.ts";
import { type GitOptions, gitFailed, runGit } from "./git.ts";
import { findCommitted, type RevisionPath, readRevisionPath } from "./revision.ts";

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
