import type { Path } from "../../../../src/errors.ts";
import { isRecord, type JsonObject, own } from "../../../../src/values/mod.ts";
import type { Finding, Report } from "../../../platform.ts";
import { type Fault, fitValue, schemaAt } from "../../api/mod.ts";

/** A value that Vapi limits: its place (`*` matches each item of a list) and the schema with the limit. */
type Rule = readonly [
  code: string,
  at: string,
  schema: readonly [name: string, ...path: string[]],
  hint: string,
  severity?: Finding["severity"],
];

const ASSISTANT = "CreateAssistantDTO";

/** Limits of an assistant and of overrides. */
export const ASSISTANT_LIMITS: readonly Rule[] = [
  ["assistant-name-length", "name", [ASSISTANT, "name"], "Rename the node"],
  ["message-length", "voicemailMessage", [ASSISTANT, "voicemailMessage"], "Shorten the message"],
  ["message-length", "endCallMessage", [ASSISTANT, "endCallMessage"], "Shorten the message"],
  ["end-call-phrase", "endCallPhrases.*", [ASSISTANT, "endCallPhrases", "items"], "Change or remove the phrase"],
  ["number-range", "maxDurationSeconds", [ASSISTANT, "maxDurationSeconds"], "Change the number"],
  ["number-range", "model.temperature", ["OpenAIModel", "temperature"], "Change the number"],
  ["number-range", "model.maxTokens", ["OpenAIModel", "maxTokens"], "Change the number"],
];

/** Limits of a function tool and of other tools with a `function`. */
export const FUNCTION_LIMITS: readonly Rule[] = [
  ["function-name", "name", ["OpenAIFunction", "name"], "Rename the tool"],
  [
    "description-length",
    "description",
    ["ToolMessageStart", "content"],
    "Shorten the description, and move details to the prompt",
    "warning",
  ],
];

/** Limits of an API request, which has the keys of a function at the top level. */
export const REQUEST_LIMITS: readonly Rule[] = [
  ["function-name", "name", ["CreateApiRequestToolDTO", "name"], "Rename the tool"],
  ...FUNCTION_LIMITS.slice(1),
];

/** Limits of the variables that a tool or destination extracts. */
export const ALIAS_LIMITS: readonly Rule[] = [
  ["alias-name", "variableExtractionPlan.aliases.*.key", ["VariableExtractionAlias", "key"], "Rename the variable"],
  ["alias-length", "variableExtractionPlan.aliases.*.value", ["VariableExtractionAlias", "value"], "Shorten it"],
];

/** Limits of any tool. */
export const TOOL_LIMITS: readonly Rule[] = [
  ["code-length", "code", ["CreateCodeToolDTO", "code"], "Move the code to a server and call it by URL"],
  ["message-length", "messages.*.content", ["ToolMessageStart", "content"], "Shorten the message"],
  ...ALIAS_LIMITS,
];

/** Reports values of an object that the published schemas do not allow. Values of another type are ignored. */
export function checkLimits(owner: JsonObject, rules: readonly Rule[], path: Path, report: Report): void {
  for (const [code, at, [name, ...keys], hint, severity] of rules) {
    const schema = schemaAt(name, ...keys);
    for (const [place, value] of valuesAt(owner, at.split("."))) {
      const faults: Fault[] = [];
      if (value !== "" && typeof value === schema.type) fitValue(schema, value, place, faults);
      for (const { message } of faults) report(code, path, message, hint, severity);
    }
  }
}

function valuesAt(value: unknown, [key, ...deeper]: readonly string[], at: Path = []): readonly [Path, unknown][] {
  if (key === undefined) return [[at, value]];
  if (key !== "*") return isRecord(value) ? valuesAt(own(value, key), deeper, [...at, key]) : [];
  return Array.isArray(value) ? value.flatMap((item, index) => valuesAt(item, deeper, [...at, index])) : [];
}
