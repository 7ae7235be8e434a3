import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import type { JsonSchema } from "../graph/mod.ts";
import { isRecord } from "../values/mod.ts";
import type { OutputContract } from "./signature.ts";

/**
 * The contract that a valibot schema stands for. Models are told to add nothing to it; what one adds all the same is
 * ignored, as servers that know no schemas let their models explain themselves.
 *
 * @param schema How answers are read.
 * @param asked What models are asked for, where that is stricter.
 */
export function contractOf<Output>(
  schema: v.GenericSchema<unknown, Output>,
  asked: v.GenericSchema<unknown> = schema,
): OutputContract<Output> {
  return {
    schema: closed({ ...toJsonSchema(asked, { target: "draft-07", errorMode: "ignore" }) }),
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

/** The schema with every object held to the properties that it names. */
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
