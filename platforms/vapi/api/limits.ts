import { once } from "../../once.ts";
import { schemaAt } from "./schema.ts";

/** Minimum and maximum of a number or of a text's length, inclusive. */
export type Range = readonly [least: number, most: number];

/** Limits that the compiler obeys and the checks report, in characters and seconds. */
export const limits = once(() => ({
  assistantName: longest("CreateAssistantDTO", "name"),
  functionName: longest("OpenAIFunction", "name"),
  requestName: longest("CreateApiRequestToolDTO", "name"),
  alias: longest("VariableExtractionAlias", "key"),
  aliasValue: longest("VariableExtractionAlias", "value"),
  /** A tool's message; a voicemail message and the last message of an assistant have the same limit. */
  message: longest("ToolMessageStart", "content"),
  code: longest("CreateCodeToolDTO", "code"),
  codeSeconds: range("CreateCodeToolDTO", "timeoutSeconds")[1],
  requestSeconds: range("CreateApiRequestToolDTO", "timeoutSeconds"),
  maxDurationSeconds: range("CreateAssistantDTO", "maxDurationSeconds"),
  temperature: range("OpenAIModel", "temperature"),
  maxTokens: range("OpenAIModel", "maxTokens"),
  endCallPhrase: lengths("CreateAssistantDTO", "endCallPhrases", "items"),
  evalName: longest("CreateEvalDTO", "name"),
  evalLine: longest("ChatEvalUserMessageMock", "content"),
  scenarioName: longest("CreateScenarioDTO", "name"),
  scenarioInstructions: longest("CreateScenarioDTO", "instructions"),
  outputRegex: longest("CreateStructuredOutputDTO", "regex"),
}));

/** Patterns for names of functions, API requests and aliases. */
export const namePatterns = once(() => ({
  function: pattern("OpenAIFunction", "name"),
  request: pattern("CreateApiRequestToolDTO", "name"),
  alias: pattern("VariableExtractionAlias", "key"),
}));

/** Keys that Vapi's servers add to responses. They are ignored in imported documents. */
export const SERVER_KEYS: readonly string[] = [
  ...["id", "orgId", "createdAt", "updatedAt", "latestVersion", "analyticsMetadata", "isDeleted"],
  ...["isServerUrlSecretSet", "workflowIds"],
];

function longest(name: string, ...path: readonly string[]): number {
  return lengths(name, ...path)[1];
}

function lengths(name: string, ...path: readonly string[]): Range {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schemaAt(name, ...path);
  return [minLength, maxLength];
}

function range(name: string, ...path: readonly string[]): Range {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schemaAt(name, ...path);
  return [minimum, maximum];
}

function pattern(name: string, ...path: readonly string[]): RegExp {
  return new RegExp(schemaAt(name, ...path).pattern ?? "", "u");
}
