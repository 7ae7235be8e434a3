import { isRecord, parsedJson } from "../../values/mod.ts";
import type { RecordedCall } from "../recorded_call.ts";
import type { TextContext } from "./finders/mod.ts";

/** Maximum nesting depth: deeper than any call, but within the limit of the call stack. */
const DEEPEST = 500;

/** Returns the replacement of a text, a number or a key. */
export type Change = <Value extends string | number>(
  value: Value,
  context: TextContext,
  isKey?: boolean,
) => string | number;

/** Copies a JSON value with replaced texts, numbers and keys. JSON within texts is replaced too. */
export function mapTexts(value: unknown, change: Change, context: TextContext, depth = 0): unknown {
  if (depth > DEEPEST) return null;
  if (typeof value === "string") return changedText(value, change, context, depth);
  if (typeof value === "number") return change(value, context);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change, context, depth + 1));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      String(change(name, context, true)),
      mapTexts(item, change, under(context, name), depth + 1),
    ]),
  );
}

function changedText(text: string, change: Change, context: TextContext, depth: number): unknown {
  if (!/^\s*[[{]/.test(text)) return change(text, context);
  const document = parsedJson(text);
  if (document === undefined) return change(text, context);
  const changed = JSON.stringify(mapTexts(document, change, context, depth + 1));
  if (changed === JSON.stringify(document)) return text;
  const indent = /^\s*[[{]\r?\n(\s+)/.exec(text)?.[1];
  return indent === undefined ? changed : JSON.stringify(JSON.parse(changed), null, indent);
}

/** Keys are read as words: `firstName` and `first_name` are "first name". */
function under({ key, asked }: TextContext, name: string): TextContext {
  const words = name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replace(/[_\-.\s]+/g, " ")
    .trim()
    .toLowerCase();
  return { key: key === "" ? words : `${key} › ${words}`, asked };
}

const NO_CONTEXT: TextContext = { key: "", asked: "" };
/** Metadata of messages that comes from the graph or the engine. */
const OWN_METADATA = ["kind", "name", "outcome", "signature", "offered", "ways", "from", "to", "node_id", "equations"];

/** Copies a call with replaced texts. Ids and names of the call, its nodes and its tools stay. */
export function mapCall(call: RecordedCall, change: Change): RecordedCall {
  const map = (value: unknown, context = NO_CONTEXT) => mapTexts(value, change, context);
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

/** What the other side said last before a message. */
function askedBefore({ transcript }: RecordedCall, index: number): string {
  const role = transcript[index]?.role;
  if (role !== "user" && role !== "assistant") return "";
  const other = role === "user" ? "assistant" : "user";
  return transcript.slice(0, index).findLast((message) => message.role === other)?.content ?? "";
}
