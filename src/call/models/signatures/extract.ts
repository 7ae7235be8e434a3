import * as v from "valibot";
import type { JsonSchema } from "../../../document/graph/mod.ts";
import type { OutputContract, Signature } from "../signature.ts";
import { history } from "./history.ts";

const input = v.object({
  instructions: v.pipe(v.string(), v.description("What the agent's author says about finding the values")),
  variables: v.pipe(
    v.array(
      v.object({
        name: v.string(),
        description: v.string(),
        type: v.string(),
        choices: v.array(v.string()),
      }),
    ),
    v.description("The variables to fill"),
  ),
  conversation_history: v.pipe(history, v.description("The call so far, oldest first")),
});

/** Input of the extract call. */
export type ExtractInput = v.InferOutput<typeof input>;
/** Output of the extract call: values as text, by variable; a variable without a value is absent. */
export type ExtractOutput = ReadonlyMap<string, string>;

/** Finds the values of variables in what was said. */
export const extractSignature: Signature<typeof input, ExtractOutput> = {
  name: "extract",
  instructions:
    "You read a phone call and fill in variables from what the caller said. Use only what was said. A value that was not said is null, never a guess.",
  input,
  output: ({ variables }) => extractContract(variables),
};

function extractContract(variables: ExtractInput["variables"]): OutputContract<ExtractOutput> {
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(variables.map((variable) => [variable.name, variableSchema(variable)])),
      required: [...new Set(variables.map(({ name }) => name))],
      additionalProperties: false,
    },
    strict: true,
    read: (answer) => {
      if (typeof answer !== "object" || answer === null || Array.isArray(answer))
        return { problem: "it is not an object" };
      const given = new Map<string, unknown>(Object.entries(answer));
      if (given.size > 0 && !variables.some(({ name }) => given.has(name))) {
        return { problem: `"${[...given.keys()].join('", "')}" are none of the variables` };
      }
      const values = new Map<string, string>();
      for (const variable of variables) {
        const value = given.get(variable.name);
        if (value === null || value === undefined) continue;
        const text = valueText(value, variable);
        if (text === undefined)
          return { problem: `${variable.name}: ${JSON.stringify(value)} does not match its type` };
        values.set(variable.name, text);
      }
      return { output: values };
    },
  };
}

function variableSchema({ description, type, choices }: ExtractInput["variables"][number]): JsonSchema {
  const about = description ? { description } : {};
  if (choices.length > 0) return { type: ["string", "null"], enum: [...new Set(choices), null], ...about };
  if (type === "number" || type === "boolean") return { type: [type, "null"], ...about };
  return { type: ["string", "null"], ...about };
}

/** Converts a value to the text stored in variables; `undefined` when it does not match the variable's type. */
function valueText(value: unknown, { type, choices }: ExtractInput["variables"][number]): string | undefined {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  if (choices.length > 0) return choices.find((choice) => choice === text) ?? choices.find((c) => sameWord(c, text));
  if (type === "number" && !Number.isFinite(Number(text.trim() || "x"))) return undefined;
  if (type === "boolean") return ["true", "false"].find((word) => sameWord(word, text));
  return text;
}

function sameWord(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}
