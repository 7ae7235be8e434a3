import { isRecord } from "../../../base/values/mod.ts";
import { placeholderName, snippetsIn } from "../../../document/expressions/mod.ts";
import { ORIGINAL } from "../../../document/graph/mod.ts";

/** A placeholder, or a tag: `{{ name }}`, `{% if name == "x" %}`. */
const MARK = /\{\{[^{}]*\}\}|\{%[^{}%]*%\}/g;
/** Quoted texts, names with the dot, pipe or bracket around them, anything else. */
const TOKEN = /"[^"]*"|'[^']*'|(?:[.|]\s*)?[\p{L}_][\p{L}\p{N}_-]*(?:\s*:)?/gu;
/** Keys whose values are ids; a placeholder in one is a part of a name. */
const IDS: ReadonlySet<string> = new Set(["id", "target_node_id", "entry_node_id"]);

/** The value with a variable renamed in the placeholders and Liquid tags of all texts, settings of platforms included. */
export function renameInTexts<Value>(value: Value, from: string, to: string): Value {
  const rename = (text: string) => (text.includes("{") ? renameInText(text, from, to) : text);
  const visit = (item: unknown): unknown => {
    if (typeof item === "string") return rename(item);
    if (Array.isArray(item)) return item.map(visit);
    if (!isRecord(item)) return item;
    const entries = Object.entries(item).map(([key, part]) => {
      return [key, key === ORIGINAL || IDS.has(key) ? part : visit(part)] as const;
    });
    return Object.fromEntries(entries);
  };
  return visit(value) as Value; // texts are replaced by texts
}

function renameInText(text: string, from: string, to: string): string {
  return text.replace(MARK, (mark) => {
    if (!mark.includes(from) || snippetsIn(mark).length > 0) return mark;
    const inner = mark.slice(2, -2);
    return mark.slice(0, 2) + renameInExpression(inner, from, to) + mark.slice(-2);
  });
}

/** A name is `plan`, or `customer.plan` where the whole path is one variable's name. */
function renameInExpression(inner: string, from: string, to: string): string {
  const name = placeholderName(inner);
  if (name === from) return inner.replace(from, () => to);
  // only the root of a path names a variable; a filter follows a pipe, and its argument's name precedes a colon
  return inner.replace(TOKEN, (token) => (token === from ? to : token));
}
