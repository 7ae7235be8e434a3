/** Code that is printed on one line if it fits, and else on several. */
export type Code = string | Text | Group | Prefixed;

/** A text. One that does not fit is broken after its line breaks. */
interface Text {
  readonly text: string;
}

/** Items between brackets, with a comma after each. */
interface Group {
  readonly open: string;
  readonly items: readonly Code[];
  readonly close: string;
}

/** Code after a key or a name. */
interface Prefixed {
  readonly before: string;
  readonly value: Code;
}

/** How a language is laid out. */
export interface Language {
  readonly width: number;
  readonly indent: string;
  /** Lines of a text that is broken, the first of them after what is before it. */
  readonly brokenText: (parts: readonly string[], indent: string) => string;
  /** Whether a long text stands on a line of its own after a key, and a list of lists on several lines. */
  readonly isAiry: boolean;
  readonly words: { readonly true: string; readonly false: string; readonly null: string };
  readonly braces: readonly [string, string];
  /** The key of an object and the colon after it. */
  readonly key: (key: string) => string;
}

/** Code of a JSON value. */
export function valueCode(value: unknown, language: Language): Code {
  if (typeof value === "string") return { text: value };
  if (Array.isArray(value)) return listCode(value.map((each) => valueCode(each, language)));
  if (typeof value === "object" && value !== null) {
    const items = Object.entries(value).map(([key, each]) => ({
      before: language.key(key),
      value: valueCode(each, language),
    }));
    return { open: language.braces[0], items, close: language.braces[1] };
  }
  if (value === true || value === false) return language.words[`${value}`];
  return value === null || value === undefined ? language.words.null : String(value);
}

/** Code of a list. */
export function listCode(items: readonly Code[], open = "[", close = "]"): Code {
  return { open, items, close };
}

/**
 * Prints code.
 *
 * @param indent What its line begins with.
 * @param used Length of what is before it on its line, and of what follows it.
 */
export function printCode(code: Code, language: Language, indent: string, used = indent.length + 1): string {
  const short = flat(code);
  if (typeof code === "string" || (used + short.length <= language.width && !(language.isAiry && isTable(code))))
    return short;
  if ("before" in code) {
    const value = printCode(code.value, language, indent, used + code.before.length);
    return (value.startsWith("\n") ? code.before.trimEnd() : code.before) + value;
  }
  if ("text" in code) {
    const parts = code.text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
    if (parts.length >= 2) return language.brokenText(parts.map(quoted), indent);
    return language.isAiry && used > indent.length + 1 ? `\n${indent}${language.indent}${short}` : short;
  }
  const inner = indent + language.indent;
  const items = code.items.map((item) => `${inner}${printCode(item, language, inner)},\n`);
  return items.length === 0 ? short : `${code.open.trim()}\n${items.join("")}${indent}${code.close.trim()}`;
}

/** Whether code is a list of at least two lists. */
function isTable(code: Code): boolean {
  const isList = (each: Code) => typeof each === "object" && "open" in each && each.items.length > 1;
  if (typeof code === "object" && "before" in code) return isTable(code.value);
  return typeof code === "object" && "open" in code && code.open === "[" && isList(code) && code.items.every(isList);
}

function flat(code: Code): string {
  if (typeof code === "string") return code;
  if ("text" in code) return quoted(code.text);
  if ("before" in code) return code.before + flat(code.value);
  return code.items.length === 0
    ? code.open.trim() + code.close.trim()
    : code.open + code.items.map(flat).join(", ") + code.close;
}

/** A text in quotes, as JavaScript and Python read it alike. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}
