import { fileError } from "./find_place.ts";

/** Stands for bytes that are no text in a {@link TextStream}: half a character, which no valid text contains. */
export const NO_TEXT = "\uDC80";
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
