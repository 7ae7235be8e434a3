import type { RecordedCall } from "../../../../platforms/mod.ts";
import { isRecord, parsedJson } from "../../../base/values/mod.ts";
import type { FieldContext } from "./finders/mod.ts";

/** Maximum nesting depth: deeper than any call, but within the limit of the call stack. */
const DEEPEST = 500;
/** Number of keys on the path to a value that can tell what it is. */
const MOST_KEYS = 6;

/** Returns the replacement of a text, a number or a key. */
export type Replacer = <Value extends string | number>(
  value: Value,
  context: FieldContext,
  isKey?: boolean,
) => string | number;

/** Copies a JSON value with replaced texts, numbers and keys. Values in the JSON of texts are replaced by their keys too. */
export function replaceValues(value: unknown, change: Replacer, context: FieldContext, depth = 0): unknown {
  if (depth > DEEPEST) return null;
  if (typeof value === "string") return changedText(value, change, context, depth);
  if (typeof value === "number") return change(value, context);
  if (Array.isArray(value)) return value.map((item) => replaceValues(item, change, context, depth + 1));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      String(change(name, context, true)),
      replaceValues(item, change, under(context, name), depth + 1),
    ]),
  );
}

/** Replaces a text, and each value of the JSON in it by its key: `search({"name":"…"}) succeeded: {…}`. */
function changedText(text: string, change: Replacer, context: FieldContext, depth: number): string {
  let written = "";
  let from = 0;
  for (const { start, end } of depth > DEEPEST ? [] : jsonIn(text)) {
    written += changedPairs(text.slice(from, start), change, context);
    written += changedJson(text.slice(start, end), change, context, depth);
    from = end;
  }
  return written + changedPairs(text.slice(from), change, context);
}

/** Replaces JSON in place, so that its white space and numbers stay as they are written. */
function changedJson(json: string, change: Replacer, context: FieldContext, depth: number): string {
  const path: { readonly context: FieldContext; isKey: boolean; readonly isObject: boolean; value: FieldContext }[] =
    [];
  return json.replace(TOKEN, (token) => {
    const top = path.at(-1);
    if (token === "{" || token === "[") {
      const own = top?.value ?? context;
      path.push({ context: own, isObject: token === "{", isKey: token === "{", value: own });
    } else if (token === "}" || token === "]") path.pop();
    else if (top && token === ",") top.isKey = top.isObject;
    else if (top && token === ":") top.isKey = false;
    else if (top && token.startsWith('"')) {
      const text = String(JSON.parse(token));
      const made = top.isKey
        ? String(change(text, top.context, true))
        : changedText(text, change, top.value, depth + 1);
      if (top.isKey) top.value = under(top.context, text);
      if (made !== text) return JSON.stringify(made);
    } else if (top && /^-?\d/.test(token)) {
      const number = Number(token);
      // a longer number is no JavaScript number, but may be a card's
      const isExact = Number.isSafeInteger(number) || !/^\d+$/.test(token);
      const made = isExact ? change(number, top.value) : change(token, top.value);
      if (String(made) !== (isExact ? String(number) : token))
        return typeof made === "number" || /^[1-9]\d*$/.test(made) ? String(made) : JSON.stringify(made);
    }
    return token;
  });
}

/** A key with its value in JSON that is cut off or escaped, or in the form of Python. */
const PAIR =
  /(?<quote>\\{0,7}["'])(?<key>[\p{L}_][\p{L}\d_ .-]{0,60})\k<quote>\s{0,9}[:=]\s{0,9}\k<quote>(?<value>[^"'\\]{1,2000})/dgu;

function changedPairs(text: string, change: Replacer, context: FieldContext): string {
  let written = "";
  let from = 0;
  for (const { groups, indices } of text.matchAll(PAIR)) {
    const [start, end] = indices?.groups?.value ?? [from, from];
    written += String(change(text.slice(from, start), context));
    written += String(change(text.slice(start, end), under(context, groups?.key ?? "")));
    from = end;
  }
  return from < text.length || from === 0 ? written + String(change(text.slice(from), context)) : written;
}

/** Keys are read as words: `firstName` and `first_name` are "first name". */
function under({ key, asked }: FieldContext, name: string): FieldContext {
  const words = name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replace(/[_\-.\s]+/g, " ")
    .trim()
    .toLowerCase();
  return {
    key: [
      ...key
        .split(" › ")
        .filter(Boolean)
        .slice(1 - MOST_KEYS),
      words,
    ].join(" › "),
    asked,
  };
}

const NO_CONTEXT: FieldContext = { key: "", asked: "" };
/** Metadata of messages that comes from the graph or the engine. */
const OWN_METADATA = ["kind", "name", "outcome", "signature", "offered", "ways", "from", "to", "node_id", "equations"];

/** Copies a call with replaced texts. Ids and names of the call, its nodes and its tools stay. */
export function mapCall(call: RecordedCall, change: Replacer): RecordedCall {
  const map = (value: unknown, context = NO_CONTEXT) => replaceValues(value, change, context);
  const record = (value: object, kept: readonly string[] = []) =>
    Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        kept.includes(name) ? item : map(item, under(NO_CONTEXT, name)),
      ]),
    );
  const { provenance, startVariables } = call;
  return {
    ...call,
    provenance: {
      ...provenance,
      source: String(change(provenance.source, NO_CONTEXT)),
      ...(provenance.facts ? { facts: record(provenance.facts) } : {}),
    },
    transcript: call.transcript.map((message, index) => {
      const asked = askedBefore(call, index);
      return {
        ...message,
        content: String(map(message.content, { key: "", asked })),
        metadata: record(message.metadata, OWN_METADATA),
      };
    }),
    toolsCalled: call.toolsCalled.map((tool) => ({
      ...tool,
      arguments: record(tool.arguments),
      result: map(tool.result),
    })),
    variables: record(call.variables),
    ...(startVariables ? { startVariables: record(startVariables) } : {}),
  };
}

/** The other side's last message before a message. */
function askedBefore({ transcript }: RecordedCall, index: number): string {
  const role = transcript[index]?.role;
  if (role !== "user" && role !== "assistant") return "";
  const other = role === "user" ? "assistant" : "user";
  return transcript.slice(0, index).findLast((message) => message.role === other)?.content ?? "";
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|-?\d[\d.eE+-]*|true|false|null/g;

const NEXT = new RegExp(`\\s+|${TOKEN.source}`, "y");
/** Where an object, or a list of objects or texts, can begin; not `[3]` or `{{name}}`. */
const BEGINNING = /[{[](?=\s*["{[\d-])/g;
/** A place in a text is read so many times at most, so that the time is linear for any text. */
const MOST_READ = 4;

/** Finds the objects and lists in JSON within a text, such as the arguments and the answer of a tool. */
function jsonIn(text: string): readonly { readonly start: number; readonly end: number }[] {
  if (!text.includes('"')) return [];
  const found: { start: number; end: number }[] = [];
  let left = text.length * MOST_READ;
  BEGINNING.lastIndex = 0;
  for (let match = BEGINNING.exec(text); match && left > 0; match = BEGINNING.exec(text)) {
    const { end, isClosed } = closeOf(text, match.index);
    left -= end - match.index + 1;
    if (!isClosed || parsedJson(text.slice(match.index, end)) === undefined) continue;
    found.push({ start: match.index, end });
    BEGINNING.lastIndex = end;
  }
  return found;
}

/** The end of the object or list that begins at a place, or of what could be read of it. */
function closeOf(text: string, start: number): { readonly end: number; readonly isClosed: boolean } {
  let depth = 0;
  NEXT.lastIndex = start;
  let end = start;
  for (let match = NEXT.exec(text); match; match = NEXT.exec(text)) {
    end = NEXT.lastIndex;
    if (/^[{[]/.test(match[0])) depth++;
    else if (/^[}\]]/.test(match[0]) && --depth === 0) return { end, isClosed: true };
  }
  return { end, isClosed: false };
}
