import { randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isCallweaveError, UsageError } from "../errors.ts";
import { isRecord, makeFolder } from "../graph/mod.ts";

/**
 * Reads a text file.
 *
 * @throws {UsageError} `unreadable-file`.
 */
export async function readTextFile(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new UsageError(`Cannot read "${path}": ${stateOf(cause)}`, {
      code: "unreadable-file",
      hint: "Check the path",
      cause,
    });
  }
}

/**
 * Writes a text file, whole or not at all; folders on the way to it are made.
 *
 * @throws {UsageError} `unwritable-file`.
 */
export async function writeTextFile(path: string, text: string): Promise<void> {
  const target = resolve(path);
  const unfinished = `${target}.${randomUUID()}.tmp`;
  try {
    await makeFolder(dirname(target));
    await writeFile(unfinished, text);
    await rename(unfinished, target);
  } catch (cause) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw new UsageError(`Cannot write "${path}": ${stateOf(cause, "its folder cannot be made")}`, {
      code: "unwritable-file",
      hint: "Choose a file in a folder that can be written to",
      cause,
    });
  }
}

/**
 * Parses the JSON of a file.
 *
 * @throws {UsageError} `invalid-json`.
 */
export function parseJsonFile(path: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw new UsageError(`Cannot read "${path}": it is not JSON`, {
      code: "invalid-json",
      hint: cause instanceof Error ? cause.message : "Check that the file is complete",
      cause,
    });
  }
}

/** The same error, but saying which file it is about. */
export function inFile(error: unknown, file: string): unknown {
  if (!isCallweaveError(error) || error.message.includes(file)) return error;
  const { code, path, hint, issues } = error;
  const message = error.message.replace(/: |$/, (end) => ` in "${file}"${end}`);
  return new UsageError(message, { code, path, hint, issues, cause: error });
}

function stateOf(error: unknown, missing = "there is no such file"): string {
  const code = isRecord(error) ? error.code : undefined;
  if (code === "ENOENT") return missing;
  if (code === "EISDIR") return "it is a folder";
  if (code === "ENOTDIR" || code === "EEXIST") return "a part of its path is a file, not a folder";
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") return "permission is denied";
  return error instanceof Error ? error.message : String(error);
}
