import { type Path, UsageError } from "../../../base/errors.ts";
import { checkWritable, fileProblem, type WriteFileOptions, writeFileTo } from "../../../base/files/mod.ts";

/**
 * Writes the output of a command: a regular file atomically, keeping its permissions and following links; devices,
 * FIFOs and sockets are written to directly.
 *
 * @throws {UsageError} `unwritable-file`.
 */
export async function writeTextFile(path: string, text: string, options: WriteFileOptions = {}): Promise<void> {
  await writeOutput(path, text, options);
}

/**
 * Writes the output of a command, text or bytes, like {@link writeTextFile}.
 *
 * @throws {UsageError} `unwritable-file`.
 */
export async function writeOutput(path: string, content: string | Uint8Array, options: WriteFileOptions = {}) {
  try {
    await writeFileTo(path, content, options);
  } catch (cause) {
    throw unwritable(`"${path}"`, cause, [path]);
  }
}

/**
 * Checks that an output is writable, before the work starts.
 *
 * @throws {UsageError} `unwritable-file`.
 */
export async function checkWritableFile(path: string): Promise<void> {
  try {
    await checkWritable(path);
  } catch (cause) {
    throw unwritable(`"${path}"`, cause, [path]);
  }
}

/** The error of an unwritable output. */
export function unwritable(what: string, cause: unknown, path: Path = []): UsageError {
  const { state, hint } = fileProblem(cause, "write");
  return new UsageError(`Cannot write ${what}: ${state}`, { code: "unwritable-file", path, hint, cause });
}
