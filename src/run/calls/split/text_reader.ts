import { TextStream } from "../../../base/files/mod.ts";

/** A buffered reader of a source's characters. */
export class TextReader {
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
