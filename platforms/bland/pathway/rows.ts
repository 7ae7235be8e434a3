import { isRecord, type JsonObject, recordAt } from "../../../src/base/values/mod.ts";
import type { VariableExtraction } from "../../../src/document/graph/mod.ts";
import { listOf } from "../traits/mod.ts";

/** The name of rows that tell the extractor what to do. */
const NOTE = "bland-prompt";

/** The rows of `extractVars`: variables, instructions for the extractor, and rows that cannot be read. */
export interface ExtractRows {
  readonly variables: readonly JsonObject[];
  readonly notes: readonly (readonly unknown[])[];
  readonly others: readonly unknown[];
}

/** Reads rows of any length: name, type, description, whether it is required, and what else a row has. */
export function readExtractRows(rows: unknown): ExtractRows {
  const variables: JsonObject[] = [];
  const notes: (readonly unknown[])[] = [];
  const others: unknown[] = [];
  for (const row of listOf(rows)) {
    const [name, type = "string", description = "", ...rest] = listOf(row);
    const isRow = typeof name === "string" && typeof type === "string" && typeof description === "string";
    const more = rest.length > 0 ? { metadata: { bland: { rest } } } : {};
    if (!isRow || name === "" || (name === NOTE && rest.length > 0)) others.push(row);
    else if (name === NOTE) notes.push([name, type, description]);
    else variables.push({ name, ...readType(type, description), ...more });
  }
  return { variables, notes, others };
}

const CHOICES = /^(.*)(?:\. |^)One of: ([^\n]+)$/s;
/** A choice that cannot be a part of a sentence. */
const CHOICE = /^(?!or |and |other )[\w-]+(?: [\w-]+){0,2}$/;

function readType(type: string, description: string): JsonObject {
  const [, said = "", list] = type === "string" ? (CHOICES.exec(description) ?? []) : [];
  const choices = list?.split(", ") ?? [];
  if (list !== undefined && choices.every((each) => CHOICE.test(each)))
    return { type: "enum", description: said, choices };
  return { type, description };
}

/** Writes a variable as a row. Choices are a part of the description. */
export function writeVariable(
  variable: Pick<VariableExtraction, "name" | "type" | "description" | "choices">,
): readonly unknown[] {
  const { name, type, description, choices } = variable;
  const list = choices && choices.length > 0 ? `One of: ${choices.join(", ")}` : "";
  const words = [description, list].filter((each) => each !== "").join(". ");
  return [name, type === "enum" ? "string" : type, words, ...restOf({ ...variable })];
}

/** What a row has after its description. */
function restOf({ metadata }: JsonObject): readonly unknown[] {
  return listOf(recordAt(isRecord(metadata) ? metadata : {}, "bland").rest);
}

/** Reads rows as the arguments of a tool. */
export function readParameters(variables: readonly JsonObject[]): JsonObject {
  const needed = variables.filter((variable) => restOf(variable)[0] === true).map(({ name }) => name);
  const properties = variables.map(({ name, type, description, choices }) => {
    const words = description === "" ? {} : { description };
    return [String(name), { type: type === "enum" ? "string" : type, ...words, ...(choices ? { enum: choices } : {}) }];
  });
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(needed.length > 0 ? { required: needed } : {}),
  };
}

/** Writes the arguments of a tool as rows. */
export function writeArguments(parameters: JsonObject): readonly (readonly unknown[])[] {
  return Object.entries(recordAt(parameters, "properties")).map(([name, schema]) => {
    const { type, description, enum: choices }: JsonObject = isRecord(schema) ? schema : {};
    const simple = ["string", "integer", "number", "boolean"].find((each) => each === type) ?? "string";
    const words = typeof description === "string" ? description : "";
    const row = writeVariable({ name, type: simple, description: words, choices: listOf(choices).map(String) });
    return listOf(parameters.required).includes(name) ? [...row, true] : row;
  });
}

/** Writes an instruction for the extractor. */
export const writeNote = (text: string): readonly unknown[] => [NOTE, "string", text];
