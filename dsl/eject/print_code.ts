import { isRecord } from "../../src/base/values/mod.ts";

/** A JSON value, or `undefined`, as code. */
export function valueCode(value: unknown): Code {
  if (typeof value === "string") return stringCode(value);
  if (typeof value === "number") return { kind: "atom", text: numberText(value), is: "number" };
  if (Array.isArray(value)) return array(value.map(valueCode));
  if (isRecord(value)) {
    return object(Object.entries(value).map(([key, item]) => ({ key: propertyKey(key), value: valueCode(item) })));
  }
  return name(String(value));
}

/** Formats a number like formatters do. */
function numberText(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value).replace("e+", "e");
}

/** Characters that editors hide, change or cannot save: control characters, lone surrogates, line separators, bidirectional marks. */
const UNSEEN =
  /[\p{Cc}\p{Cs}\u00a0\u00ad\u061c\u115f\u1160\u180e\u200b\u200c\u200e\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufeff\uffa0\ufff0-\ufffb]/gu;

const SHORT = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

function escapeUnseen(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return SHORT.get(character) ?? (code < 256 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`);
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

/** A string literal in the quotes that need fewer escapes; double quotes if both need the same number. */
function quoted(text: string): string {
  const count = (quote: string) => text.split(quote).length;
  const quote = count('"') > count("'") ? "'" : '"';
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll(quote, `\\${quote}`)
    .replace(UNSEEN, (character) => escapeUnseen(character));
  return `${quote}${escaped}${quote}`;
}

/** A single-line text as code. */
export function stringCode(text: string): Code {
  return { kind: "atom", text: quoted(text), is: "string" };
}

/** A template literal with the text's own line breaks. White space at the end of a line is escaped: editors remove it. */
export function templateCode(text: string): Code {
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll("`", "\\`")
    .replaceAll("${", "\\${")
    .replace(UNSEEN, (character) => (character === "\n" ? character : escapeUnseen(character)))
    .replace(/ (?=\n)/g, "\\x20");
  return { kind: "template", text: `\`${escaped}\`` };
}

/** A property's key, without quotes if possible. */
export function propertyKey(key: string): string {
  if (key === "__proto__") return '["__proto__"]'; // without brackets it would set the object's prototype
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(key) ? key : quoted(key);
}

const WIDTH = 120;
/** Maximum length of keys that stay on the line of their text, however long it is. */
const SHORT_KEY = 5;

/** Where an expression is printed. */
interface PrintPosition {
  /** Spaces at the start of its lines. */
  readonly indent: number;
  /** Columns of its first line that are already used. */
  readonly used: number;
  /** Columns needed after the expression on its last line. */
  readonly rest: number;
}

/** Prints an expression like Biome and Prettier, with a width of 120 and two spaces. */
function printCode(code: Code, place: PrintPosition): string {
  const line = flat(code);
  if (line !== undefined && place.used + printedWidth(line) + place.rest <= WIDTH) return line;
  return tall(code, place);
}

/** Prints `const name = value;` at the top level of a module. */
export function printConst(name: string, value: Code, keyword: "const" | "export const"): string {
  const head = `${keyword} ${name} =`;
  return `${head}${assigned(value, head, { indent: 0, used: 0, rest: 1 })};`;
}

/** Columns that a text takes: East Asian characters and emoji take two, combining ones none. */
export function printedWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += /\p{Mn}|\p{Me}/u.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** The expression on one line; `undefined` if it must break. */
function flat(code: Code): string | undefined {
  if (code.kind === "atom") return code.text;
  if (code.kind === "template") return code.text.includes("\n") ? undefined : code.text;
  if (code.kind === "arrow") {
    const body = flat(code.body);
    return body === undefined ? undefined : `${code.params} => ${body}`;
  }
  if (code.kind === "array") return breaksAlways(code.items) ? undefined : joined("[", code.items.map(flat), "]");
  if (code.kind === "call") return joined(`${code.callee}(`, code.args.map(flat), ")");
  if (code.kind === "chain") {
    const calls = code.calls.map(({ name, args }) => joined(`.${name}(`, args.map(flat), ")"));
    const head = flat(code.head);
    return head === undefined || calls.includes(undefined) ? undefined : `${head}${calls.join("")}`;
  }
  if (code.entries.length === 0) return "{}";
  if (code.open || code.entries.some(({ comment }) => comment !== undefined)) return undefined;
  const entries = code.entries.map(({ key, value }) => {
    const text = flat(value);
    return text === undefined ? undefined : `${key}: ${text}`;
  });
  return joined("{ ", entries, " }");
}

function joined(open: string, parts: readonly (string | undefined)[], close: string): string | undefined {
  return parts.includes(undefined) ? undefined : `${open}${parts.join(", ")}${close}`;
}

/** Items of lists of objects, or of lists, are on separate lines if one of them has several parts. */
function breaksAlways(items: readonly Code[]): boolean {
  const sizeOf = (item: Code) =>
    item.kind === "object" ? item.entries.length : item.kind === "array" ? item.items.length : 0;
  return items.length > 1 && items.every((item) => item.kind === items[0]?.kind && sizeOf(item) > 1);
}

function tall(code: Code, place: PrintPosition): string {
  const { indent } = place;
  if (code.kind === "atom" || code.kind === "template") return code.text;
  if (code.kind === "array") return tallArray(code.items, indent);
  if (code.kind === "object")
    return block(
      "{",
      code.entries.map((entry) => property(entry, indent + 2)),
      "}",
      indent,
    );
  if (code.kind === "call") return tallCall(code.callee, code.args, place);
  if (code.kind === "chain") return tallChain(code.head, code.calls, place);
  const head = `${code.params} => `;
  return `${head}${printCode(code.body, { ...place, used: place.used + printedWidth(head) })}`;
}

function tallArray(items: readonly Code[], indent: number): string {
  if (items.length > 1 && items.every((item) => item.kind === "atom" && item.is === "number")) {
    return block(
      "[",
      filled(
        items.map((item) => flat(item) ?? ""),
        indent + 2,
      ),
      "]",
      indent,
    );
  }
  const lines = items.map((item) => printCode(item, { indent: indent + 2, used: indent + 2, rest: 1 }));
  return block(
    "[",
    lines.map((line) => `${line},`),
    "]",
    indent,
  );
}

/** Numbers fill the lines. */
function filled(items: readonly string[], indent: number): readonly string[] {
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    const longer = `${last} ${item},`;
    if (last !== undefined && indent + longer.length <= WIDTH) lines[lines.length - 1] = longer;
    else lines.push(`${item},`);
  }
  return lines;
}

function block(open: string, lines: readonly string[], close: string, indent: number): string {
  const inner = lines.map((line) => `${" ".repeat(indent + 2)}${line}`);
  return [open, ...inner, `${" ".repeat(indent)}${close}`].join("\n");
}

function property({ key, value, comment }: Property, indent: number): string {
  const lines =
    comment === undefined ? "" : comment.replaceAll(/^/gm, "// ").replaceAll("\n", `\n${" ".repeat(indent)}`);
  const above = lines === "" ? "" : `${lines}\n${" ".repeat(indent)}`;
  return `${above}${key}:${assigned(value, `${key}:`, { indent, used: indent, rest: 1 })},`;
}

/** The text after `key:` or `const name =`, including a space or a line break. */
function assigned(value: Code, head: string, { indent, used, rest }: PrintPosition): string {
  const after = used + printedWidth(head) + 1;
  const isText = value.kind === "atom" && value.is === "string";
  const breaks = isText && after + printedWidth(value.text) + rest > WIDTH && printedWidth(head) - 1 >= SHORT_KEY;
  if (breaks) return `\n${" ".repeat(indent + 2)}${value.text}`;
  return ` ${printCode(value, { indent, used: after, rest })}`;
}

function tallCall(callee: string, args: readonly Code[], { indent, used, rest }: PrintPosition): string {
  const before = args.slice(0, -1).map(flat);
  const last = args.at(-1);
  const previous = args.at(-2);
  if (last && canHug(last) && previous?.kind !== last.kind && !before.includes(undefined)) {
    const head = [`${callee}(`, ...before.map((text) => `${text}, `)].join("");
    const body = tall(last, { indent, used: used + printedWidth(head), rest: rest + 1 });
    const [first = ""] = body.split("\n");
    if (used + printedWidth(head) + printedWidth(first) <= WIDTH) return `${head}${body})`;
  }
  if (args.length === 0) return `${callee}()`;
  const lines = args.map((arg) => `${printCode(arg, { indent: indent + 2, used: indent + 2, rest: 1 })},`);
  return `${callee}${block("(", lines, ")", indent)}`;
}

function canHug(code: Code): boolean {
  if (code.kind === "object") return code.entries.length > 0;
  return code.kind === "array" ? code.items.length > 0 : code.kind === "arrow";
}

/** Chains of two or more calls have one call per line; a single call stays behind its head. */
function tallChain(head: Code, calls: readonly MethodCall[], place: PrintPosition): string {
  const { indent, used, rest } = place;
  if (calls.length < 2 && flat(head) !== undefined) {
    const texts = calls.slice(0, -1).map(({ name, args }) => joined(`.${name}(`, args.map(flat), ")"));
    const last = calls.at(-1);
    if (last && !texts.includes(undefined)) {
      return tallCall(`${flat(head)}${texts.join("")}.${last.name}`, last.args, { indent, used, rest });
    }
  }
  const inner = indent + 2;
  const lines = calls.map(({ name, args }, index) => {
    const end = index === calls.length - 1 ? rest : 0;
    return printCode({ kind: "call", callee: `.${name}`, args }, { indent: inner, used: inner, rest: end });
  });
  return [printCode(head, { ...place, rest: 0 }), ...lines.map((line) => `${" ".repeat(inner)}${line}`)].join("\n");
}

/** An expression of TypeScript, before it is laid out in lines. */
export type Code =
  | { readonly kind: "atom"; readonly text: string; readonly is: "string" | "number" | "name" }
  | { readonly kind: "template"; readonly text: string }
  | { readonly kind: "object"; readonly entries: readonly Property[]; readonly open: boolean }
  | { readonly kind: "array"; readonly items: readonly Code[] }
  | { readonly kind: "call"; readonly callee: string; readonly args: readonly Code[] }
  | { readonly kind: "chain"; readonly head: Code; readonly calls: readonly MethodCall[] }
  | { readonly kind: "arrow"; readonly params: string; readonly body: Code };

export interface Property {
  readonly key: string;
  readonly value: Code;
  /** Comment lines above it. */
  readonly comment?: string;
}

/** A method call in a chain. */
export interface MethodCall {
  readonly name: string;
  readonly args: readonly Code[];
}

/** An identifier, or an expression that never breaks. */
export function name(text: string): Code {
  return { kind: "atom", text, is: "name" };
}

/** An object; `open` puts each property on its own line, even if it is short. */
export function object(entries: readonly Property[], open = false): Code {
  return { kind: "object", entries, open };
}

export function array(items: readonly Code[]): Code {
  return { kind: "array", items };
}

export function call(callee: string, ...args: readonly Code[]): Code {
  return { kind: "call", callee, args };
}
