import { hasNoText, TextStream } from "../../../base/files/mod.ts";
import { thrownWords } from "../../../base/values/mod.ts";
import { ListScanner, MOST_CHARACTERS, type ScannedText } from "./list_scanner.ts";

/** A part of a source: a JSON value, a plain text, or a place that cannot be read. */
export type Piece =
  | { readonly kind: "value"; readonly value: unknown; readonly line: number; readonly list?: ListPlace }
  | { readonly kind: "text"; readonly text: string; readonly line: number }
  | { readonly kind: "damage"; readonly reason: string; readonly line: number };

/**
 * Place of a value in a list that is streamed. `element`: an element; `end`: what surrounds the elements,
 * when the list has ended.
 */
export type ListPlace = "element" | "end";

/** Maximum length of a line to read as a whole; longer ones are scanned. */
const LONG_LINE = 1_000_000;
const SEPARATOR = /^\s*(?:-{3,}|={3,}|\*{3,})\s*$/;

/**
 * Splits a source of any size into its records: lines of JSON, the elements of a JSON list, several JSON documents one
 * after another, or plain texts with lines of `---` between them. Holds one record at a time.
 *
 * @param isText Whether the source is plain text, whatever its first character.
 */
export async function* splitRecords(
  chunks: AsyncIterable<Uint8Array | string>,
  { isText = false }: { readonly isText?: boolean } = {},
): AsyncIterable<Piece> {
  const reader = new TextReader(chunks);
  let isLines = false;
  let isFirst = true;
  for (;;) {
    const first = await reader.skipSpace();
    if (first === undefined) return;
    const [line, isJson] = [reader.line, await beginsJson(reader, first)];
    if (isText || (isFirst && !isJson)) return yield* splitTexts(reader);
    isFirst = false;
    if (!isJson) {
      await reader.skipLine();
      yield { kind: "damage", reason: "the line is not JSON", line };
      continue;
    }
    const text = await reader.peekLine(LONG_LINE);
    const piece = text === undefined ? undefined : valueFrom(text, line);
    if (text !== undefined && piece && (piece.kind === "value" || isLines || (await isBrokenLine(reader, text)))) {
      isLines = true;
      await reader.skipLine();
      yield piece;
    } else yield* scanDocument(reader, isLines);
  }
}

/** Whether a text that begins with a bracket is JSON, not a line such as `[00:12] Agent: …`. */
async function beginsJson(reader: TextReader, first: string): Promise<boolean> {
  if (first !== "[") return first === "{";
  while (/^\[\s*$/.test(reader.text) && (await reader.fill()));
  return /^\[\s*[[{\]"]/.test(reader.text);
}

const NO_TEXT = "a part of it is text neither in UTF-8 nor in UTF-16";

function valueFrom(text: string, line: number): Piece {
  if (hasNoText(text)) return { kind: "damage", reason: NO_TEXT, line };
  try {
    return { kind: "value", value: JSON.parse(text), line };
  } catch (error) {
    return { kind: "damage", reason: `it is not JSON: ${thrownWords(error)}`, line };
  }
}

/** Whether a first line that is not JSON is a damaged record, not the beginning of a document of several lines. */
async function isBrokenLine(reader: TextReader, text: string): Promise<boolean> {
  const scanner = new ListScanner(true);
  scanner.feed(`${text}\n`);
  const [found] = scanner.take().filter(({ problem }) => problem !== undefined);
  if (!found?.problem?.startsWith("the line ends")) return true;
  if (/[[{,:]\s*$/.test(text)) return false;
  const next = await reader.peekLine(LONG_LINE, text.length + 1);
  return next?.trimStart().startsWith("{") === true && valueFrom(next, 0).kind === "value";
}

/** Reads a JSON document that is too long for a line, or a line with several documents. */
async function* scanDocument(reader: TextReader, endsAtLine: boolean): AsyncIterable<Piece> {
  const scanner = new ListScanner(endsAtLine);
  let origin = reader.line; // the scanner's line 0
  for (;;) {
    reader.take(scanner.feed(reader.text));
    for (const found of scanner.take()) yield pieceFrom(found, origin);
    if (scanner.isLost) {
      const lost = reader.line;
      if (!scanner.isInList || endsAtLine) return await reader.skipLine();
      if (!(await skipToElement(reader, scanner.indentation))) return;
      scanner.resume();
      origin += reader.line - lost;
    }
    if (scanner.isOver) return;
    if (reader.text === "" && !(await reader.fill())) {
      scanner.end();
      for (const found of scanner.take()) yield pieceFrom(found, origin);
      return;
    }
  }
}

function pieceFrom({ text, problem, line, part }: ScannedText, origin: number): Piece {
  const at = origin + line;
  if (text === undefined) return { kind: "damage", reason: problem ?? "it is not JSON", line: at };
  const piece = valueFrom(text, at);
  return piece.kind === "value" ? { ...piece, list: part === "element" ? "element" : "end" } : piece;
}

/**
 * After damage, skips to the next line that begins with an object and is not indented more than the damaged element.
 * Returns whether there is one.
 */
async function skipToElement(reader: TextReader, indentation: number): Promise<boolean> {
  do {
    await reader.skipLine();
    const line = (await reader.peekLine(LONG_LINE)) ?? reader.text;
    const before = line.search(/\S/);
    if (line[before] === "{" && before <= indentation) return true;
  } while (reader.text !== "");
  return false;
}

async function* splitTexts(reader: TextReader): AsyncIterable<Piece> {
  let from = reader.line;
  let lines: string[] = [];
  let length = 0;
  const piece = (): Piece[] => {
    const text = lines.join("\n");
    if (length > MOST_CHARACTERS)
      return [{ kind: "damage", reason: `it has more than ${MOST_CHARACTERS} characters`, line: from }];
    if (hasNoText(text)) return [{ kind: "damage", reason: NO_TEXT, line: from }];
    return text.trim() === "" ? [] : [{ kind: "text", text, line: from }];
  };
  while (reader.text !== "" || (await reader.fill())) {
    const line = await reader.peekLine(LONG_LINE);
    if (line === undefined) length = Number.POSITIVE_INFINITY;
    await reader.skipLine();
    if (line !== undefined && SEPARATOR.test(line)) {
      yield* piece();
      [from, lines, length] = [reader.line, [], 0];
    } else if (line !== undefined) {
      length += line.length + 1;
      if (length > MOST_CHARACTERS) lines = [];
      else lines.push(line.replace(/\r$/, ""));
    }
  }
  yield* piece();
}

/** A buffered reader of a source's characters. */
class TextReader {
  readonly #chunks: AsyncIterator<Uint8Array | string>;
  readonly #decoder = new TextStream();
  #text = "";
  #isOver = false;
  #line = 1;

  constructor(chunks: AsyncIterable<Uint8Array | string>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Line number of the next character, from 1. */
  get line(): number {
    return this.#line;
  }

  /** Text that was read and not yet consumed. */
  get text(): string {
    return this.#text;
  }

  /** Reads a chunk. Returns whether there was more. */
  async fill(): Promise<boolean> {
    if (this.#isOver) return false;
    const { done, value } = await this.#chunks.next();
    if (done === true) {
      this.#isOver = true;
      const rest = this.#decoder.end();
      this.#text += rest;
      return rest !== "";
    }
    this.#text += typeof value === "string" ? value : this.#decoder.write(value);
    return true;
  }

  /** Consumes characters from the beginning. */
  take(length: number): string {
    const taken = this.#text.slice(0, length);
    this.#text = this.#text.slice(length);
    for (let at = taken.indexOf("\n"); at >= 0; at = taken.indexOf("\n", at + 1)) this.#line++;
    return taken;
  }

  /** Consumes white space. Returns the next character, or `undefined` at the end. */
  async skipSpace(): Promise<string | undefined> {
    do {
      const at = this.#text.search(/\S/);
      this.take(at < 0 ? this.#text.length : at);
      if (at >= 0) return this.#text[0];
    } while (await this.fill());
    return undefined;
  }

  /**
   * Returns the line that begins at a character, without consuming it and without its line break; `undefined` when it is
   * longer than the limit.
   */
  async peekLine(limit: number, from = 0): Promise<string | undefined> {
    for (let searched = from; ; ) {
      const end = this.#text.indexOf("\n", searched);
      if (end >= 0) return end - from > limit ? undefined : this.#text.slice(from, end);
      searched = this.#text.length;
      if (searched - from > limit) return undefined;
      if (!(await this.fill())) return this.#text.slice(from);
    }
  }

  /** Skips the rest of the line with its line break. */
  async skipLine(): Promise<void> {
    do {
      const end = this.#text.indexOf("\n");
      this.take(end < 0 ? this.#text.length : end + 1);
      if (end >= 0) return;
    } while (await this.fill());
  }
}
