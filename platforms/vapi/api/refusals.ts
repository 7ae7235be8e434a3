import type { Path } from "../../../src/base/errors.ts";
import { getAt, type JsonObject, madeOnce } from "../../../src/base/values/mod.ts";
import type { Fault } from "./faults.ts";
import { droppedKeywords, fitValue } from "./fit_value.ts";
import { schemaAt } from "./schema.ts";

/** Minimum and maximum of a number, inclusive. */
export type NumberRange = readonly [least: number, most: number];

/** Limits of Vapi's API in characters and seconds, for the compiler and the checks. */
export const limits = madeOnce(() => ({
  assistantName: longest("CreateAssistantDTO", "name"),
  functionName: longest("OpenAIFunction", "name"),
  requestName: longest("CreateApiRequestToolDTO", "name"),
  alias: longest("VariableExtractionAlias", "key"),
  /** A tool's message; a voicemail message and the last message of an assistant have the same limit. */
  message: longest("ToolMessageStart", "content"),
  codeSeconds: range("CreateCodeToolDTO", "timeoutSeconds")[1],
  requestSeconds: range("CreateApiRequestToolDTO", "timeoutSeconds"),
  maxDurationSeconds: range("CreateAssistantDTO", "maxDurationSeconds"),
  evalName: longest("CreateEvalDTO", "name"),
  evalLine: longest("ChatEvalUserMessageMock", "content"),
  scenarioName: longest("CreateScenarioDTO", "name"),
  scenarioInstructions: longest("CreateScenarioDTO", "instructions"),
  outputRegex: longest("CreateStructuredOutputDTO", "regex"),
}));

/** Patterns for names of aliases. */
export const namePatterns = madeOnce(() => ({
  alias: new RegExp(schemaAt("VariableExtractionAlias", "key").pattern ?? "", "u"),
}));

function longest(name: string, ...path: readonly string[]): number {
  return schemaAt(name, ...path).maxLength ?? Number.POSITIVE_INFINITY;
}

function range(name: string, ...path: readonly string[]): NumberRange {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schemaAt(name, ...path);
  return [minimum, maximum];
}

/** A value or key that Vapi's published schemas do not allow. */
export interface Refused {
  readonly path: Path;
  /** The API's own message for an unknown key; else a message of Callweave. */
  readonly message: string;
  readonly hint: string;
  /** Whether the API may still accept it: a key, a choice, or a list that its schemas lack. */
  readonly mayPass: boolean;
  /** Whether the schema has no such key. */
  readonly isUnknown: boolean;
}

/** Returns what Vapi's published schemas do not allow in the body of an assistant, a squad or a tool. */
export function vapiRefusals(kind: "assistant" | "squad" | "tool", body: JsonObject): readonly Refused[] {
  const faults: Fault[] = [];
  if (kind === "tool") fitValue(schemaAt("AssistantOverrides", "tools:append", "items"), body, [], faults);
  else fitValue({ $ref: kind === "squad" ? "CreateSquadDTO" : "CreateAssistantDTO" }, body, [], faults);
  // the API accepts more JSON Schema keywords than it documents
  const refused = faults.filter(({ instead }) => instead !== droppedKeywords([]).instead);
  return refused
    .filter((fault) => !isReturned(fault) && !isConsequence(fault, body))
    .map((fault) => refusedBy(fault, body));
}

/** Keys that the API accepts without documenting them: it returns `async` with every tool, and never a secret. */
function isReturned({ at, isUnknown }: Fault): boolean {
  return isUnknown === true && (at.at(-1) === "async" || (at.at(-1) === "secret" && at.at(-2) === "server"));
}

/** Whether a required key counts as missing only because its value is refused. */
function isConsequence({ at, missing }: Fault, body: JsonObject): boolean {
  return missing?.every((key) => (getAt(body, [...at, key]) ?? null) !== null) ?? false;
}

/** Whether the API may accept what its schemas lack: a key, a choice, or a list where they have one value. */
function mayPass({ isUnknown = false, instead, hint = "" }: Fault, value: unknown): boolean {
  return isUnknown || (instead === undefined && (hint.startsWith("Set one of ") || Array.isArray(value)));
}

function refusedBy(fault: Fault, body: JsonObject): Refused {
  const { at: path, message, hint = "", instead, isUnknown = false } = fault;
  const owner = path.slice(0, -1).join(".");
  const property = `property ${path.at(-1)} should not exist`;
  return {
    path,
    message: !isUnknown ? message : owner === "" ? property : `${owner}.${property}`,
    hint: isUnknown || instead === undefined ? hint : `Set ${instead}`,
    mayPass: mayPass(fault, getAt(body, path)),
    isUnknown,
  };
}
