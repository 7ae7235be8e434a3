/** Keys of objects whose list holds calls: pages of platforms, and files with metadata about their calls. */
export const LIST_KEYS: readonly string[] = ["calls", "items", "data", "results", "records", "conversations"];

/** Maximum number of characters in a record. A call of an hour has about a million. */
export const MOST_CHARACTERS = 32_000_000;

/** The text of a value, or the problem with it. */
export interface ScannedText {
  /** `undefined`: there is only a problem. */
  readonly text?: string;
  readonly problem?: string;
  /** Line number of its start, counted from the line of the document, which is 0. */
  readonly line: number;
  /** `element`: an element of the list. `document`: the whole document, without the elements that were yielded. */
  readonly part: "element" | "document";
}

const [QUOTE, BACKSLASH, NEW_LINE, COMMA, COLON] = [34, 92, 10, 44, 58];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];
const LAST_SPACE = 32;

/**
 * Finds the elements of a list of calls in a JSON text that may be larger than memory: of the document itself, or under
 * one of {@link LIST_KEYS}. It only tracks strings and brackets and leaves the rest to `JSON.parse`, so that a damaged
 * element does not end the list, as it would with a parser.
 */
export class ListScanner {
  readonly #found: ScannedText[] = [];
  /** Closing brackets that are expected, the innermost last. */
  readonly #open: number[] = [];
  /** Depth of the list of calls; 0 while there is none. */
  #listDepth = 0;
  #isInString = false;
  #isEscaped = false;
  /** The current or last key of the document. */
  #key = "";
  #isKey = false;
  #line = 0;
  /** Index of the line's start in the current text; negative if it began in an earlier one. */
  #lineBegin = 0;
  #element: Collected | undefined;
  readonly #document = new Collected(0);
  readonly #endsAtLine: boolean;

  /** Number of characters before the last element, in its line. */
  indentation = 0;

  /** Whether the document was damaged where reading stopped. */
  isLost = false;

  /** @param endsAtLine Whether the document must end before its line does. */
  constructor(endsAtLine: boolean) {
    this.#endsAtLine = endsAtLine;
  }

  /** Whether the document has ended, or cannot be continued. */
  isOver = false;

  /** Reads a chunk. Returns how many of the characters belong to the document. */
  feed(text: string): number {
    let from = 0; // start of the text that was not collected yet
    let at = 0;
    for (; at < text.length && !this.isOver; at++) {
      const code = text.charCodeAt(at);
      if (code === NEW_LINE) {
        if (this.#isInString) return this.#lose("a string has a line break", at);
        if (this.#endsAtLine) return this.#lose("the line ends in the middle of it", at);
        this.#line++;
        this.#lineBegin = at + 1;
      }
      if (this.#isInString) this.#readString(code);
      else if (code > LAST_SPACE) {
        const collected = this.#element ?? this.#document;
        const isAtList = this.#open.length === this.#listDepth && this.#listDepth > 0;
        if (isAtList && (code === COMMA || code === CLOSE_LIST)) {
          if (this.#element) this.#endElement(text.slice(from, at));
          from = code === COMMA ? at + 1 : at;
        } else if (isAtList && !this.#element) {
          this.#element = new Collected(this.#line);
          this.indentation = at - this.#lineBegin;
          from = at;
        }
        if (!this.#readStructure(code)) return this.#lose("its brackets do not match", at);
        if (code === OPEN_LIST && this.#listDepth === 0 && this.#startsList()) {
          collected.add(text.slice(from, at + 1));
          this.#listDepth = this.#open.length;
          from = at + 1;
        }
      }
    }
    const collected = this.#element ?? this.#document;
    if (this.#element || this.#open.length !== this.#listDepth || this.#listDepth === 0)
      collected.add(text.slice(from, at));
    if (this.isOver) this.#found.push({ ...this.#document.result(), part: "document" });
    this.#lineBegin -= at;
    return at;
  }

  /** Marks the end of the text. */
  end(): void {
    if (!this.isOver) this.#lose("the text ends in the middle of it", 0);
  }

  /** Returns and clears the values found so far. */
  take(): readonly ScannedText[] {
    return this.#found.splice(0);
  }

  /** Whether a list was found and has not ended, so that reading can continue with its next element. */
  get isInList(): boolean {
    return this.#listDepth > 0;
  }

  /** Continues with the next element of the list after damage. */
  resume(): void {
    this.#open.length = this.#listDepth;
    this.#isInString = false;
    this.#isEscaped = false;
    this.#element = undefined;
    this.isLost = false;
    this.isOver = false;
  }

  #readString(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === BACKSLASH) this.#isEscaped = true;
    else if (code === QUOTE) {
      this.#isInString = false;
      return;
    }
    if (this.#isKey && this.#open.length === 1) this.#key += String.fromCharCode(code);
  }

  /** Returns whether the bracket matches. */
  #readStructure(code: number): boolean {
    if (code === QUOTE) {
      this.#isInString = true;
      if (this.#isKey && this.#open.length === 1) this.#key = "";
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      if (this.#open.length === 0) this.#isKey = code === OPEN_OBJECT;
      this.#open.push(code === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_LIST);
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      if (this.#open.at(-1) !== code) return false;
      this.#open.pop();
      if (this.#open.length < this.#listDepth) this.#listDepth = 0;
      if (this.#open.length === 0) this.isOver = true;
    } else if (this.#open.length === 1 && (code === COLON || code === COMMA)) this.#isKey = code === COMMA;
    return true;
  }

  /** Whether the list that has just begun holds calls. */
  #startsList(): boolean {
    const depth = this.#open.length;
    return depth === 1 || (depth === 2 && this.#open[0] === CLOSE_OBJECT && LIST_KEYS.includes(this.#key));
  }

  #endElement(rest: string): void {
    this.#element?.add(rest);
    if (this.#element) this.#found.push({ ...this.#element.result(), part: "element" });
    this.#element = undefined;
  }

  #lose(problem: string, at: number): number {
    const { line } = (this.#element ?? this.#document).result();
    this.#found.push({ problem, line, part: this.#element ? "element" : "document" });
    this.isLost = true;
    this.isOver = true;
    this.#lineBegin -= at;
    return at;
  }
}

/** Text collected chunk by chunk, up to the limit. */
class Collected {
  readonly #line: number;
  readonly #pieces: string[] = [];
  #length = 0;

  constructor(line: number) {
    this.#line = line;
  }

  add(piece: string): void {
    this.#length += piece.length;
    if (this.#length > MOST_CHARACTERS) this.#pieces.length = 0;
    else if (piece !== "") this.#pieces.push(piece);
  }

  result(): { readonly text?: string; readonly problem?: string; readonly line: number } {
    const line = this.#line;
    if (this.#length > MOST_CHARACTERS) return { problem: `it has more than ${MOST_CHARACTERS} characters`, line };
    return { text: this.#pieces.join(""), line };
  }
}
