/** Converts a text to letters, digits, `_` and `-`: `Work out discount` becomes `Work_out_discount`. It may be empty. */
export function slug(text: string): string {
  return text.replace(/[^a-zA-Z0-9_-]+/g, "_").replace(/^_+|_+$/g, "");
}

/** Returns the texts that occur more than once in a list, in the order of their second occurrence. */
export function repeated(texts: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(texts.filter((text) => seen.has(text) || !seen.add(text)));
}

/**
 * Formats names for a message: `"a", "b"`, or `"a", "b" and 3 more`.
 *
 * @param most Number of names that are listed. Default: all.
 */
export function quotedList(names: readonly string[], most: number = names.length): string {
  const listed = names.slice(0, most).map((name) => `"${name}"`);
  return listed.join(", ") + (names.length > most ? ` and ${names.length - most} more` : "");
}

/** Escapes a text for the content of an XML or HTML element. */
export function escapeContent(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Escapes a text for XML or HTML, also in an attribute. */
export function escapeMarkup(text: string): string {
  return escapeContent(text).replaceAll('"', "&quot;");
}

/** Replaces characters that XML 1.0 cannot represent. */
export function xmlCharacters(text: string): string {
  return text.replace(/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd");
}

/** Writes controls of the direction of text as escapes, such as `\\u{202e}`: they make other words be seen than are there. */
export function visibleDirections(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, (control) => `\\u{${control.charCodeAt(0).toString(16)}}`);
}

/** English words of the digits 0 to 9. */
export const DIGIT_WORDS: readonly string[] = "zero one two three four five six seven eight nine".split(" ");

/** Joins digits that are spoken one by one: "four 8 one five" becomes "4815". */
export function joinSpokenDigits(text: string): string {
  const digit = `(?:${DIGIT_WORDS.join("|")}|oh|\\d)`;
  const run = new RegExp(`\\b${digit}(?:[\\s,-]{1,4}${digit}\\b){2,}`, "gi");
  return text.replace(run, (spoken) =>
    spoken
      .split(/[\s,-]+/)
      .map((word) => {
        const digit = word.toLowerCase().replace(/^oh$/, "zero");
        const value = DIGIT_WORDS.indexOf(digit);
        return value < 0 ? word : String(value);
      })
      .join(""),
  );
}

/** How {@link freeName} changes a name. */
export interface FreeNameOptions {
  /** Text before the number. Default: `-`. */
  readonly joint?: string;
  /** Maximum length in characters; longer names are truncated. Default: none. */
  readonly limit?: number;
}

/** Returns the wanted name, truncated, and with a number if it is taken: `desk-2`. */
export function freeName(
  wanted: string,
  isTaken: (name: string) => boolean,
  { joint = "-", limit = Number.POSITIVE_INFINITY }: FreeNameOptions = {},
): string {
  let name = clip(wanted, limit);
  for (let count = 2; isTaken(name); count++) {
    const suffix = `${joint}${count}`;
    name = `${clip(wanted, limit - suffix.length)}${suffix}`;
  }
  return name;
}

/** Assigns unique names. */
export class Names {
  readonly #taken: Set<string>;
  readonly #options: FreeNameOptions;

  /** @param taken Names that must not be assigned. */
  constructor(taken: Iterable<string> = [], options: FreeNameOptions = {}) {
    this.#taken = new Set(taken);
    this.#options = options;
  }

  /**
   * Returns the wanted name, truncated, and with a number if it is taken.
   *
   * @param limit Maximum length in characters. Default: that of the options.
   */
  take(wanted: string, limit?: number): string {
    const options = { ...this.#options, ...(limit === undefined ? {} : { limit }) };
    const name = freeName(wanted, (each) => this.#taken.has(each), options);
    this.#taken.add(name);
    return name;
  }
}

/** Shortens a text to a number of UTF-16 units before an ellipsis, without splitting a character. */
export function shorten(text: string, most: number): string {
  return text.length > most ? `${clip(text, most)}…` : text;
}

/** Truncates a text to a number of UTF-16 units without splitting a character. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, Math.max(0, most)).replace(/[\uD800-\uDBFF]$/, "");
}
