import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { isRecord, madeOnceFor } from "../../base/values/mod.ts";
import type { JsonSchema } from "../../document/graph/mod.ts";
import type { OutputContract } from "./signature.ts";

/**
 * Creates an answer's contract from a valibot schema. The JSON Schema forbids additional properties, but answers that
 * have them are accepted: models on servers without structured output add explanations.
 *
 * @param schema Validates answers.
 * @param asked Stricter schema sent to the model. Default: `schema`.
 */
export function contractOf<Output>(
  schema: v.GenericSchema<unknown, Output>,
  asked: v.GenericSchema<unknown> = schema,
): OutputContract<Output> {
  return {
    schema: jsonSchemaOf(asked),
    strict: true,
    read: (answer) => {
      const result = v.safeParse(schema, answer);
      if (result.success) return { output: result.output };
      const [issue] = result.issues;
      const place = v.getDotPath(issue);
      return { problem: place ? `${place}: ${issue.message}` : issue.message };
    },
  };
}

/** Converts a valibot schema, once for each: most contracts ask for the same at every call. */
const jsonSchemaOf = madeOnceFor(
  (schema: v.GenericSchema<unknown>): JsonSchema =>
    closed({ ...toJsonSchema(schema, { target: "draft-07", errorMode: "ignore" }) }),
);

/** Forbids additional properties in every object of a schema. */
function closed(schema: JsonSchema): JsonSchema {
  const inner = Object.entries(schema).map(([keyword, value]) => {
    if (keyword === "properties" && isRecord(value)) {
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, closedPart(part)]))];
    }
    return [keyword, keyword === "items" ? closedPart(value) : value];
  });
  return { ...Object.fromEntries(inner), ...(schema.type === "object" ? { additionalProperties: false } : {}) };
}

function closedPart(part: unknown): unknown {
  return isRecord(part) ? closed(part) : part;
}
