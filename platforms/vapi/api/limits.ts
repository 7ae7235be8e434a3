import { madeOnce } from "../../../src/base/values/mod.ts";
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
