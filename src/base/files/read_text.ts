import { readFile } from "node:fs/promises";
import { isCallweaveError, type Path, UsageError } from "../errors.ts";
import { fileProblem } from "./file_problem.ts";
import { decodeText, withoutMark } from "./text.ts";

/**
 * Reads a text file in UTF-8 or UTF-16.
 *
 * @throws {UsageError} `unreadable-file`.
 */
export async function readTextFile(path: string): Promise<string> {
  return decodedText(await readBytes(path), `"${path}"`, [path]);
}

/**
 * Decodes the text of a file, of standard input or of a commit.
 *
 * @param what Name of the source, for the message.
 * @param path Of the error: the file, where there is one.
 * @throws {UsageError} `unreadable-file`.
 */
export function decodedText(bytes: Uint8Array, what: string, path: Path = []): string {
  try {
    return decodeText(bytes);
  } catch (cause) {
    throw unreadable(what, cause, path);
  }
}

/**
 * Reads a file.
 *
 * @throws {UsageError} `unreadable-file`.
 */
export async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw unreadable(`"${path}"`, cause, [path]);
  }
}

function unreadable(what: string, cause: unknown, path: Path): UsageError {
  const { state, hint } = fileProblem(cause, "read");
  return new UsageError(`Cannot read ${what}: ${state}`, { code: "unreadable-file", path, hint, cause });
}

/**
 * Parses the JSON of a file.
 *
 * @throws {UsageError} `invalid-json`.
 */
export function parseJsonFile(path: string, text: string): unknown {
  try {
    return JSON.parse(withoutMark(text));
  } catch (cause) {
    throw new UsageError(`Cannot read "${path}": it is not JSON`, {
      code: "invalid-json",
      path: [path],
      hint: cause instanceof Error ? cause.message : "Check that the file is complete",
      cause,
    });
  }
}

/** The same error with the file's name in its message. */
export function inFile(error: unknown, file: string): unknown {
  if (!isCallweaveError(error) || error.message.includes(file)) return error;
  const { code, path, hint, issues } = error;
  const message = error.message.replace(/: |$/, (end) => ` in "${file}"${end}`);
  return new UsageError(message, { code, path, hint, issues, cause: error });
}
