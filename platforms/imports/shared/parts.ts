import { defined, isRecord, isTooDeep, parsedJson, slug } from "../../../src/base/values/mod.ts";
import { replacePlaceholders } from "../../../src/document/expressions/mod.ts";
import type {
  JsonSchema,
  ToolDefinition,
  Transition,
  TransitionCondition,
  VariableExtraction,
} from "../../../src/document/graph/mod.ts";

export const ALWAYS_TAKEN: TransitionCondition = { type: "always", value: "" };

/** Goes on at once after a step has spoken, without waiting for the caller. */
export const AT_ONCE: Partial<Transition> = { timing: "skip_response" };

/** Goes on after the caller has spoken, if nothing else fits. */
export const AFTER_CALLER: Partial<Transition> = { timing: "else" };

export const asked = (value: string): TransitionCondition => ({ type: "llm_prompt", value });

/** Offered beside a condition for silence, so that a model that sees an answer has something to choose. */
export const ANSWERED: TransitionCondition = asked("The caller says something or presses a key");

/** The condition that a tool has had an outcome. */
export function toolCalled(name: string, outcome?: "succeeded" | "failed"): TransitionCondition {
  return { type: "tool_call", value: name, ...defined({ outcome }) };
}

/** A value as a text for a prompt; objects as JSON. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** A name for a variable or a tool, which every platform takes. */
export function plainName(text: string): string {
  const name = slug(text).replaceAll("-", "_");
  return /^[a-zA-Z_]/.test(name) ? name : `v_${name}`;
}

/** A variable that the source sets to a value; a model has to give it this value. */
export function assigned(name: string, value: unknown): VariableExtraction {
  const text = textOf(value);
  const isFixed = text !== "" && !/\{\{/.test(text);
  return {
    name,
    description: isFixed ? `Always ${JSON.stringify(text)}` : `Always this value, unchanged: ${JSON.stringify(text)}`,
    type: isFixed ? "enum" : "string",
    ...(isFixed ? { choices: [text] } : {}),
  };
}

/** A request that a step of the source makes. */
export interface RequestParts {
  readonly name: string;
  readonly description: string;
  readonly url?: string | undefined;
  readonly method?: string | undefined;
  readonly headers?: { readonly [name: string]: unknown } | undefined;
  readonly timeoutMs?: number | undefined;
  /** What is sent: templates by name. */
  readonly sends?: { readonly [name: string]: unknown };
  /** Variable → JSON path into the response. */
  readonly fills?: { readonly [variable: string]: string };
}

/** A tool that makes a request. Its arguments are the templates of the source, which a model fills in. */
export function request({
  name,
  description,
  url,
  method,
  headers,
  timeoutMs,
  sends,
  fills,
}: RequestParts): ToolDefinition {
  const settings = defined({
    method: method?.toUpperCase(),
    timeout_ms: timeoutMs,
    headers: headers && Object.keys(headers).length > 0 ? headers : undefined,
  });
  return {
    name,
    description,
    type: "custom",
    ...(url ? { url } : {}),
    parameters: schemaOf(sends ?? {}),
    ...(fills && Object.keys(fills).length > 0 ? { response_variables: fills } : {}),
    ...(Object.keys(settings).length > 0 ? { metadata: { callweave: settings } } : {}),
  };
}

function schemaOf(sends: { readonly [name: string]: unknown }): JsonSchema {
  const names = Object.keys(sends);
  const properties = Object.fromEntries(names.map((name) => [name, valueSchema(sends[name])]));
  return { type: "object", properties, required: names };
}

function valueSchema(value: unknown): JsonSchema {
  if (isRecord(value)) return schemaOf(value);
  if (Array.isArray(value) || value === null || value === undefined)
    return { description: `Always ${JSON.stringify(value ?? null)}` };
  const type = typeof value === "number" || typeof value === "boolean" ? typeof value : "string";
  return { type, description: `Always ${JSON.stringify(value)}` };
}

/** The fields of a body: those of its JSON or of its form, else the whole text as `body`. */
export function fieldsOf(body: unknown): { readonly [name: string]: unknown } {
  if (isRecord(body)) return body;
  const text = textOf(body);
  if (text.trim() === "") return {};
  // a placeholder outside of quotes, as for a number, is no JSON
  const quoted = text.replaceAll(/(?<!["\w])(\{\{[^{}"]*\}\})(?!["\w])/g, '"$1"');
  for (const each of [text, quoted]) {
    const value = parsedJson(each);
    if (isRecord(value) && !isTooDeep(value)) return value;
  }
  return { body: text };
}

/** Changes the references in all texts of a value; keys stay. */
export function filled(value: unknown, fill: (text: string) => string): unknown {
  if (typeof value === "string") return fill(value);
  if (Array.isArray(value)) return value.map((item) => filled(item, fill));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, fill)]));
}

/** Replaces `{{a.b.c}}` by `{{name}}`. */
export function renamed(text: string, nameOf: (reference: string) => string | undefined): string {
  return replacePlaceholders(text, (inner) => {
    const name = nameOf(inner);
    return name === undefined ? undefined : `{{${name}}}`;
  });
}

/** The words of a text in SSML. */
export const withoutTags = (ssml: string): string =>
  ssml
    .replaceAll(/<[^<>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
