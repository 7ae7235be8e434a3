import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { isRecord, madeOnceFor } from "../../base/values/mod.ts";
import type { JsonSchema } from "../../document/graph/mod.ts";

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

/** The names of all model calls that Callweave makes. */
export const SIGNATURE_NAMES = [
  "transition",
  "respond",
  "fused",
  "extract",
  "arguments",
  "caller",
  "judge",
  "replies",
  "audit",
  "traits",
  "persona",
  "flow",
  "diagnosis",
  "repair",
  "scenario",
  "topic",
] as const;

/** The name of a model call that Callweave makes. */
export type SignatureName = (typeof SIGNATURE_NAMES)[number];

/** The objects of a signature's input: one described field each. */
export type InputSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

/** One kind of model call: instructions, input and output. */
export interface Signature<Input extends InputSchema, Output> {
  readonly name: SignatureName;
  /** General instructions for the model. */
  readonly instructions: string;
  readonly input: Input;
  /** The contract of the answer to an input. */
  readonly output: (input: v.InferOutput<Input>) => OutputContract<Output>;
}

/** The schema of an answer, and how it is read. */
export interface OutputContract<Output> {
  readonly schema: JsonSchema;
  /** Whether providers may enforce the schema, which they do not support for every JSON Schema. */
  readonly strict: boolean;
  /**
   * @returns The answer, a problem, or both. With both, the model is called again, and the answer is used if no better
   *   one arrives.
   */
  readonly read: (
    answer: unknown,
  ) => { readonly output: Output; readonly problem?: string } | { readonly problem: string };
}

/** One message of a call as models see it. */
export interface HistoryLine {
  readonly role: "user" | "assistant" | "tool";
  readonly content: string;
}
