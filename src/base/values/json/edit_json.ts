import { parse, type ValueNode } from "@humanwhocodes/momoa";
import { madeOnce, madeOnceFor } from "../once.ts";
import { editText } from "./edit_text.ts";
import { isRecord, type JsonObject, sameJson } from "./json.ts";
import { indentOf, type JsonPart, type JsonParts, jsonParts, rangeOf } from "./json_parts.ts";
import { type JsonStyle, jsonStyle, printJson, printText } from "./json_style.ts";
import { matchItems } from "./match_items.ts";

/** Options of {@link editJson}. */
export interface EditJsonOptions {
  /** Keys that identify an object within its list; see {@link matchItems}. */
  readonly keys?: readonly string[];
  /** Returns the kind of a list item. Items of different kinds are never matched. */
  readonly kindOf?: (item: unknown) => string | undefined;
}

/** A part of the new text. `part` is its old position, absent if it is new. `text` is called when writing. */
interface NewPart {
  readonly part?: JsonPart;
  /** @param indent White space at the start of its line; absent when it is within a line. */
  readonly text: (indent: string | undefined) => string;
}

/**
 * Writes a new value into a JSON text. Unchanged parts keep their white space, key order, escapes and large numbers;
 * new parts are written in the style of the surrounding text.
 *
 * @param text Valid JSON, with or without a byte order mark.
 */
export function editJson(text: string, value: unknown, options: EditJsonOptions = {}): string {
  return edited(parsed(text), value, options);
}

/** Like {@link editJson}, for a document that may be edited many times: its text is parsed once. */
export function editDocument(document: { readonly text: string }, value: unknown, options?: EditJsonOptions): string {
  const known = parsedOnce(document);
  return edited(known.text === document.text ? known : parsed(document.text), value, options);
}

interface ParsedText {
  readonly text: string;
  /** The text without a byte order mark. */
  readonly source: string;
  readonly current: unknown;
  /** Parsed with positions when the value differs. */
  readonly syntax: () => { readonly body: ValueNode; readonly style: JsonStyle };
}

const parsedOnce = madeOnceFor(({ text }: { readonly text: string }) => parsed(text));

function parsed(text: string): ParsedText {
  const source = text.replace(/^\uFEFF/, "");
  const syntax = madeOnce(() => {
    const { body } = parse(source, { mode: "json", ranges: true });
    return { body, style: jsonStyle(source, body) };
  });
  return { text, source, current: JSON.parse(source), syntax };
}

function edited({ text, source, current, syntax }: ParsedText, value: unknown, options: EditJsonOptions = {}): string {
  if (sameJson(current, value)) return text;
  const { keys = [], kindOf } = options;
  const { body, style } = syntax();

  const write = (node: ValueNode, known: unknown, after: unknown, indent: string | undefined): string => {
    if (sameJson(known, after)) return source.slice(...rangeOf(node));
    const old = jsonParts(source, node);
    if (typeof known === "string" && typeof after === "string")
      return editText(source.slice(...rangeOf(node)), after, style);
    if (isRecord(known) && isRecord(after)) return wrap("{}", old, members(old.parts, known, after), indent);
    if (Array.isArray(known) && Array.isArray(after)) return wrap("[]", old, elements(old.parts, known, after), indent);
    return printJson(after, style, indent);
  };

  const members = (parts: readonly JsonPart[], before: JsonObject, after: JsonObject): NewPart[] => {
    const kept = parts.filter(
      ({ name }) => name !== undefined && after[name] !== undefined && Object.hasOwn(after, name),
    );
    const last = new Map(kept.map((part) => [part.name, part]));
    const keep = (part: JsonPart): NewPart => ({
      part,
      // the last of several members with the same name counts
      text: (indent) => {
        const name = part.name ?? "";
        const isLast = last.get(name) === part;
        const value = isLast
          ? write(part.value, before[name], after[name], indent)
          : source.slice(...rangeOf(part.value));
        return `${part.nameText}${part.colon}${value}`;
      },
    });
    const add = (name: string): NewPart => ({
      text: (indent) => `${printText(name, style)}${style.colon}${printJson(after[name], style, indent)}`,
    });
    const names = Object.keys(after).filter((name) => after[name] !== undefined);
    const known = Object.keys(before).filter((name) => last.has(name));
    const isOrdered = sameJson(
      known,
      names.filter((name) => last.has(name)),
    );
    if (!isOrdered)
      return names.flatMap((name) =>
        last.has(name) ? kept.filter((part) => part.name === name).map(keep) : [add(name)],
      );
    const result = kept.map(keep);
    let at = 0;
    for (const name of names) {
      const found = result.findLastIndex(({ part }) => part?.name === name);
      if (found < 0) result.splice(at++, 0, add(name));
      else at = found + 1;
    }
    return result;
  };

  const elements = (parts: readonly JsonPart[], before: readonly unknown[], after: readonly unknown[]): NewPart[] => {
    const matches = matchItems(before, after, keys, kindOf);
    return after.map((item, index) => {
      const match = matches[index];
      const part = match === undefined ? undefined : parts[match];
      if (match === undefined || !part) return { text: (indent) => printJson(item ?? null, style, indent) };
      return { part, text: (indent) => write(part.value, before[match], item, indent) };
    });
  };

  const wrap = (brackets: string, old: JsonParts, parts: readonly NewPart[], indent: string | undefined): string => {
    const [open, close] = brackets;
    const [first, second] = old.parts;
    if (parts.length === 0) return brackets;
    const line =
      style.unit === undefined || indent === undefined ? undefined : `${style.newline}${indent}${style.unit}`;
    const firstLead = first?.lead ?? line ?? "";
    const otherLead = second?.lead ?? (indentOf(firstLead) === undefined ? style.gap : firstLead);
    const isTall = old.parts.some((part) => source.slice(...rangeOf(part.value)).includes("\n"));
    const inner = isTall ? indent : undefined;
    const texts = parts.map(({ part, text }, index) => {
      const stays = part !== undefined && (part === first) === (index === 0);
      const lead = stays ? part.lead : index === 0 ? firstLead : otherLead;
      return `${lead}${text(indentOf(lead) ?? inner)}${part?.trail ?? ""}`;
    });
    const closing = first ? old.closing : line === undefined ? "" : `${style.newline}${indent}`;
    return `${open}${texts.join(",")}${closing}${close}`;
  };

  const [start, end] = rangeOf(body);
  return (
    text.slice(0, text.length - source.length) +
    source.slice(0, start) +
    write(body, current, value, "") +
    source.slice(end)
  );
}
