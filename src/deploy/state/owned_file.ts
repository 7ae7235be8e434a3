import { createHmac, randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { DeployError, type ErrorCode, isCallweaveError } from "../../base/errors.ts";
import { fileProblem, readIfPresent, withLock, writeFileTo } from "../../base/files/mod.ts";
import { isRecord, type JsonObject, parsedJson } from "../../base/values/mod.ts";
import type { DeployScope } from "../target/mod.ts";

/** Folder of local state, which is not committed. */
export const STATE_FOLDER = ".callweave";

const VERSION = 1;

/** The agent that a file of local state belongs to, and the machine that wrote it. */
export interface Owner extends DeployScope {
  readonly machine: string;
}

/** The keys of an owner in a file. */
export const OWNER_FIELDS = {
  version: v.literal(VERSION),
  environment: v.string(),
  flow: v.string(),
  platform: v.string(),
  machine: v.string(),
};

/**
 * Reads a file of the state; `undefined` if it does not exist.
 *
 * @throws {DeployError} The code, for a file that cannot be read: a folder, one without permission, or one that is no text.
 */
export async function readStateFile(path: string, code: ErrorCode = "state-file"): Promise<string | undefined> {
  try {
    return await readIfPresent(path);
  } catch (cause) {
    throw cannotRead(path, cause, code);
  }
}

/** The error of a file or folder that exists and cannot be read. */
export function cannotRead(path: string, cause: unknown, code: ErrorCode): DeployError {
  const { state, hint } = fileProblem(cause, "read");
  return new DeployError(`Cannot read ${path}: ${state}`, { code, path: [path], hint, cause });
}

/** Writes a file of the state that only this user can read; a text of `undefined` removes it. */
export async function writeStateFile(path: string, text: string | undefined): Promise<void> {
  await whileWriting(path, () =>
    text === undefined ? rm(path, { force: true }) : writeFileTo(path, text, { mode: 0o600 }),
  );
}

/**
 * Does what writes a file of the state.
 *
 * @throws {DeployError} The code, for a file that cannot be written: without permission, on a full disk, or in a folder that
 *   is a file.
 */
export async function whileWriting<Result>(
  path: string,
  work: () => Promise<Result>,
  code: ErrorCode = "state-file",
): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (isCallweaveError(cause)) throw cause;
    const { state, hint } = fileProblem(cause, "write");
    throw new DeployError(`Cannot write ${path}: ${state}`, { code, path: [path], hint, cause });
  }
}

/** The owner of files that this machine writes for an agent. */
export async function fileOwner(folder: string, { environment, flow, platform }: DeployScope): Promise<Owner> {
  // the salt stays on the machine: placeholders of secrets in a file have a meaning only together with it
  const machine = createHmac("sha256", await stateSalt(folder))
    .update("machine")
    .digest("hex")
    .slice(0, 16);
  return { environment, flow, platform, machine };
}

/** The text of a file that names its owner. */
export function ownedText(owner: Owner, content: JsonObject): string {
  return `${JSON.stringify({ version: VERSION, ...owner, ...content })}\n`;
}

/** How errors call a file, and what to do about it. */
export interface FileWords {
  /** Such as `Cannot roll back`. */
  readonly action: string;
  /** Such as `a snapshot`. */
  readonly what: string;
  readonly code: ErrorCode;
  readonly hint: string;
}

/**
 * Parses a file that names its owner.
 *
 * @throws {DeployError} `wrong-place` for a file of another agent or machine; the code of `words` for anything else.
 */
export function parseOwned<Content extends Owner>(
  { path, text }: { readonly path: string; readonly text: string },
  schema: v.GenericSchema<unknown, Content>,
  owner: Owner,
  words: FileWords,
): Content {
  const document = parsedJson(text);
  const parsed = v.safeParse(schema, document);
  if (parsed.success) {
    checkPlace(path, parsed.output, owner, words);
    return parsed.output;
  }
  const { action, what, code, hint } = words;
  const isOlder = isRecord(document) && document.version !== VERSION;
  const why = isOlder ? `is not ${what} of this version of Callweave` : `is not ${what}`;
  throw new DeployError(`${action}: ${path} ${why}`, { code, path: [path], hint });
}

/** @throws {DeployError} `wrong-place` if a file belongs to another flow, environment, platform or machine. */
export function checkPlace(
  file: string,
  found: DeployScope & { readonly machine?: string },
  wanted: DeployScope & { readonly machine?: string },
  { action, what, hint }: Pick<FileWords, "action" | "what" | "hint">,
): void {
  const key = (["platform", "flow", "environment", "machine"] as const).find((each) => found[each] !== wanted[each]);
  if (key === undefined) return;
  const placed = ({ flow, environment, platform }: DeployScope) => `"${flow}" in ${environment} at ${platform}`;
  const why =
    key === "machine"
      ? `is ${what} that another machine wrote for ${placed(found)}`
      : `is ${what} of ${placed(found)}, not of ${placed(wanted)}`;
  throw new DeployError(`${action}: ${file} ${why}`, { code: "wrong-place", path: [key], hint });
}

/** The machine's salt for placeholders of secrets in stored documents; created on first use. */
export async function stateSalt(folder: string): Promise<string> {
  const path = join(folder, STATE_FOLDER, "salt");
  const known = await readStateFile(path);
  if (known !== undefined && known.length >= 32) return known.trim();
  const create = async () => {
    const written = await readStateFile(path);
    if (written !== undefined && written.length >= 32) return written.trim();
    const salt = randomBytes(32).toString("hex");
    await writeStateFile(path, `${salt}\n`);
    return salt;
  };
  return await whileWriting(path, () => withLock(path, create));
}

/** A path of an agent's files in a folder of the local state. */
export function placePath(folder: string, kind: "deploy" | "snapshots", place: DeployScope): string {
  const { environment, flow, platform } = place;
  const names = [environment, flow, platform].map((name) =>
    encodeURIComponent(name).replace(/^\.+$/, (dots) => "%2E".repeat(dots.length)),
  );
  return join(folder, STATE_FOLDER, kind, ...names);
}

/** A file of an agent's local state. */
export function statePath(folder: string, place: DeployScope, ending: string): string {
  return `${placePath(folder, "deploy", place)}.${ending}`;
}
