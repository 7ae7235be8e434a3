import { readFile, stat } from "node:fs/promises";
import { isCallweaveError, type Path, UsageError } from "../errors.ts";
import { errorCode } from "../values/mod.ts";
import { absent, fileError, findPlace } from "./find_place.ts";

/** Size limit in bytes. Callweave's own files are far smaller, and the text of a larger one is too long for a string. */
const MOST_BYTES = 2 ** 28;

/**
 * Reads a regular text file. Returns `undefined` if it does not exist or is write-only, such as a FIFO.
 *
 * @throws The file system's error in all other cases: an unreadable file is not treated as missing.
 */
export async function readIfPresent(path: string): Promise<string | undefined> {
  const place = await findPlace(path);
  if (place.kind !== "file" || !place.existing) return undefined;
  const { size = 0 } = (await stat(place.path).catch(absent)) ?? {};
  if (size > MOST_BYTES) throw fileError("EFBIG", `it has more than ${MOST_BYTES / 2 ** 20} MiB`);
  const bytes = await readFile(place.path).catch(absent); // another process may remove it in the meantime
  return bytes && withoutMark(decodeText(bytes));
}

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

/** Message and hint for a file system error. */
export interface FileProblem {
  /** Continues "Cannot write "report.xml": ". */
  readonly state: string;
  readonly hint: string;
}

/** Describes why a file cannot be read or written. */
export function fileProblem(error: unknown, action: "read" | "write"): FileProblem {
  const code = errorCode(error);
  const hint = action === "read" ? "Check the path" : "Choose a file in a folder that can be written to";
  switch (code) {
    case "ENOENT":
      return { state: action === "read" ? "the file does not exist" : "its folder cannot be created", hint };
    case "EISDIR":
    case "ERR_FS_EISDIR":
      return { state: "it is a folder", hint };
    case "ENOTDIR":
    case "EEXIST":
      return { state: "a part of its path is a file, not a folder", hint };
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return { state: "permission is denied", hint };
    case "ELOOP":
      return { state: "its symbolic links form a loop", hint };
    case "ENOSPC":
    case "EDQUOT":
      return { state: "there is no space left on the device", hint: "Free some space, or choose another device" };
    case "EBUSY":
      return {
        state: error instanceof Error ? error.message : "it is busy",
        hint: "Wait, or delete the lock file if no run is active",
      };
    case "EILSEQ":
      return { state: "it is text neither in UTF-8 nor in UTF-16", hint: "Save it as UTF-8" };
    case "ENXIO":
      return { state: "no process reads from it", hint: "Start its reader first, or choose a file" };
    case "EPIPE":
    case "ECONNREFUSED":
    case "ETIMEDOUT":
      return { state: "its reader has stopped reading", hint: "Check its reader, or choose a file" };
    default:
      return { state: error instanceof Error ? error.message : String(error), hint };
  }
}

/** Stands for bytes that are no text in a {@link TextStream}: half a character, which no valid text contains. */
const NO_TEXT = "\uDC80";
const IS_NO_TEXT = /(?<![\uD800-\uDBFF])\uDC80/;

/** Bytes that decide the encoding. */
const HEAD_BYTES = 4;

/**
 * Decodes the bytes of a text file: UTF-8 or UTF-16, with or without a byte order mark. UTF-8's mark is kept, because
 * the file may be written again; UTF-16's is not, because texts are written in UTF-8.
 *
 * @throws The error `EILSEQ` for other bytes, with the words of `fileProblem()`.
 */
export function decodeText(bytes: Uint8Array): string {
  try {
    const encoding = encodingOf(bytes);
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
    return encoding === "utf-8" ? text : withoutMark(text);
  } catch {
    throw fileError("EILSEQ", "the bytes are no text");
  }
}

/** Removes a byte order mark. */
export const withoutMark = (text: string): string => text.replace(/^\uFEFF/, "");

/** Whether a text from a {@link TextStream} contains bytes that are no text. */
export const hasNoText = (text: string): boolean => IS_NO_TEXT.test(text);

/** Decodes chunks of a text like {@link decodeText}. Bytes that are no text become {@link NO_TEXT}. */
export class TextStream {
  #head: Uint8Array | undefined = new Uint8Array();
  #loose = new TextDecoder();
  #strict = new TextDecoder();
  #isBroken = false;

  /** Decodes the next chunk. */
  write(chunk: Uint8Array): string {
    if (!this.#head) return this.#decoded(chunk);
    this.#head = Uint8Array.from([...this.#head, ...chunk.subarray(0, HEAD_BYTES)]);
    if (this.#head.length < HEAD_BYTES) return "";
    return this.#start(this.#head) + this.#decoded(chunk.subarray(HEAD_BYTES));
  }

  /** Decodes what is left at the end. */
  end(): string {
    return (this.#head ? this.#start(this.#head) : "") + this.#decoded();
  }

  #start(head: Uint8Array): string {
    this.#head = undefined;
    const encoding = encodingOf(head);
    this.#loose = new TextDecoder(encoding);
    this.#strict = new TextDecoder(encoding, { fatal: true });
    return this.#decoded(head);
  }

  #decoded(chunk?: Uint8Array): string {
    const options = { stream: chunk !== undefined };
    const text = this.#loose.decode(chunk, options);
    if (!this.#isBroken) {
      try {
        this.#strict.decode(chunk, options);
      } catch {
        this.#isBroken = true;
      }
    }
    return this.#isBroken ? text.replaceAll("\uFFFD", NO_TEXT) : text;
  }
}

/** Returns the encoding by the byte order mark, else by the zero byte of UTF-16's first character if it is ASCII. */
function encodingOf([first, second, third, fourth]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? "utf-8" : "utf-16le"; // UTF-32's mark
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0 && second) return "utf-16be";
  return first && second === 0 ? "utf-16le" : "utf-8";
}
