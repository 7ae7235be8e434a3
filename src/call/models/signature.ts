import type * as v from "valibot";
import type { JsonSchema } from "../../document/graph/mod.ts";

/** The names of all model calls that Callweave makes. */
export const SIGNATURE_NAMES = [
  "transition",
  "respond",
  "fused",
  "extract",
  "arguments",
  "caller",
  "judge",
  "audit",
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
