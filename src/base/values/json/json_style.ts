import type { ValueNode } from "@humanwhocodes/momoa";
import { isRecord } from "./json.ts";

/** Style of a JSON text, which new parts follow. */
export interface JsonStyle {
  /** White space of one level. Absent when the text has no line breaks. */
  readonly unit?: string;
  readonly newline: "\n" | "\r\n";
  /** Between a key and its value, such as `": "`. */
  readonly colon: string;
  /** White space after a comma within a line. */
  readonly gap: string;
  /** Whether characters beyond ASCII are written as `\u` escapes. */
  readonly ascii: boolean;
  /** Whether slashes are written as `\/`. */
  readonly slashes: boolean;
  /** Original texts of numbers that JavaScript cannot represent, by the value it reads instead. */
  readonly numbers: ReadonlyMap<number, string>;
}

/** Detects the style of a JSON text from its containers and strings. */
export function jsonStyle(source: string, body: ValueNode): JsonStyle {
  let unit: string | undefined;
  let colon: string | undefined;
  let gap: string | undefined;
  const numbers = new Map<number, string>();
  const visit = (node: ValueNode, indent: string): void => {
    if (node.type === "Number") {
      const raw = source.slice(...rangeOf(node));
      if (isInexact(node.value, raw)) numbers.set(node.value, numbers.get(node.value) ?? raw);
    }
    const children = node.type === "Object" ? node.members : node.type === "Array" ? node.elements : [];
    let from = rangeOf(node)[0] + 1;
    for (const [index, child] of children.entries()) {
      const [start, end] = rangeOf(child.value);
      const lead = source.slice(from, child.type === "Member" ? rangeOf(child.name)[0] : start);
      const inner = indentOf(lead) ?? indent;
      if (inner !== indent && inner.startsWith(indent)) unit ??= inner.slice(indent.length);
      if (index > 0 && !lead.includes("\n")) gap ??= lead;
      if (colon === undefined && child.type === "Member") {
        const between = source.slice(rangeOf(child.name)[1], start);
        if (!/[\r\n]/.test(between)) colon = between;
      }
      visit(child.value, inner);
      if (index < children.length - 1) from = source.indexOf(",", end) + 1;
    }
  };
  visit(body, "");
  return {
    ...(unit === undefined ? {} : { unit }),
    newline: source.includes("\r\n") ? "\r\n" : "\n",
    colon: colon ?? ": ",
    gap: gap ?? (colon === undefined || /\s$/.test(colon) ? " " : ""),
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
    ascii: /\\u(?!00[01])[0-9a-f]{4}/i.test(source) && !/[^\x00-\x7f]/.test(source),
    slashes: /(?<!\\)(?:\\\\)*\\\//.test(source),
    numbers,
  };
}

/** Formats a JSON value in a style. `indent` is the white space at the start of its line; absent: all on one line. */
export function printJson(value: unknown, style: JsonStyle, indent?: string): string {
  if (typeof value === "string") return printText(value, style);
  if (typeof value === "number") return style.numbers.get(value) ?? JSON.stringify(value);
  const parts = Array.isArray(value)
    ? value.map((item) => (inner: string | undefined) => printJson(item ?? null, style, inner))
    : isRecord(value)
      ? Object.entries(value).flatMap(([key, item]) =>
          item === undefined
            ? []
            : [(inner: string | undefined) => `${printText(key, style)}${style.colon}${printJson(item, style, inner)}`],
        )
      : undefined;
  if (!parts) return JSON.stringify(value) ?? "null";
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (parts.length === 0) return `${open}${close}`;
  if (indent === undefined || style.unit === undefined)
    return `${open}${parts.map((print) => print(undefined)).join(`,${style.gap}`)}${close}`;
  const inner = `${indent}${style.unit}`;
  const lines = parts.map((print) => `${style.newline}${inner}${print(inner)}`);
  return `${open}${lines.join(",")}${style.newline}${indent}${close}`;
}

/** Formats a string in the style of the surrounding text. */
export function printText(text: string, { ascii, slashes }: JsonStyle): string {
  const plain = JSON.stringify(text);
  const escaped = slashes ? plain.replaceAll("/", "\\/") : plain;
  if (!ascii) return escaped;
  return escaped.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Whether JavaScript loses precision of a number's text. */
function isInexact(value: number, raw: string): boolean {
  if (!Number.isFinite(value)) return true;
  const digits = raw.replace(/e.*$/i, "").replace(/[-.]/g, "").replace(/^0+/, "");
  return digits.length > 15 && String(value) !== raw;
}

/** A member of an object or an element of an array, with the text around it. */
export interface JsonPart {
  /** White space before it. */
  readonly lead: string;
  /** Name of a member, and its text with quotes. */
  readonly name?: string;
  readonly nameText?: string;
  /** Text between name and value of a member. */
  readonly colon?: string;
  readonly value: ValueNode;
  /** White space after it, up to the comma. */
  readonly trail: string;
}

/** Parts of a container, and the white space before its closing bracket. Other values have no parts. */
export interface JsonParts {
  readonly parts: readonly JsonPart[];
  readonly closing: string;
}

/** Splits a container of a parsed JSON text into parts. Joining the parts gives the same text. */
export function jsonParts(source: string, node: ValueNode): JsonParts {
  if (node.type !== "Object" && node.type !== "Array") return { parts: [], closing: "" };
  const [open, end] = rangeOf(node);
  const parts: JsonPart[] = [];
  let from = open + 1;
  const children = node.type === "Object" ? node.members : node.elements;
  for (const [index, child] of children.entries()) {
    const [valueStart, valueEnd] = rangeOf(child.value);
    const isLast = index === children.length - 1;
    const comma = isLast ? valueEnd : source.indexOf(",", valueEnd);
    const around = { value: child.value, trail: source.slice(valueEnd, comma) };
    if (child.type === "Member") {
      const [nameStart, nameEnd] = rangeOf(child.name);
      parts.push({
        lead: source.slice(from, nameStart),
        name: child.name.type === "String" ? child.name.value : child.name.name,
        nameText: source.slice(nameStart, nameEnd),
        colon: source.slice(nameEnd, valueStart),
        ...around,
      });
    } else parts.push({ lead: source.slice(from, valueStart), ...around });
    from = isLast ? valueEnd : comma + 1;
  }
  return { parts, closing: source.slice(from, end - 1) };
}

/** Returns the range of a node in its source. */
export function rangeOf({ range = [0, 0] }: { readonly range?: [number, number] }): [number, number] {
  return range;
}

/** Returns the indentation after the last line break in white space. */
export function indentOf(lead: string): string | undefined {
  const at = lead.lastIndexOf("\n");
  return at < 0 ? undefined : lead.slice(at + 1);
}
