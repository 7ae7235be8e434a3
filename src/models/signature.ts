import type * as v from "valibot";
import type { JsonSchema } from "../graph/mod.ts";

/** The names of all model calls that Callweave makes. */
export type SignatureName = "transition" | "respond" | "fused" | "extract" | "arguments" | "caller" | "judge" | "flow";

/** The objects of a signature's input: one described field each. */
export type InputSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

/**
 * One kind of model call: what the model is told, what it gets and what it must answer.
 *
 * The input's fields are written into the prompt as JSON, each with its description; the answer is structured output.
 */
export interface Signature<Input extends InputSchema, Output> {
  readonly name: SignatureName;
  /** What the model is told to do, in general. */
  readonly instructions: string;
  readonly input: Input;
  /** What it must answer to this input. */
  readonly output: (input: v.InferOutput<Input>) => OutputContract<Output>;
}

/** The shape of an answer, for the model and for us. */
export interface OutputContract<Output> {
  readonly schema: JsonSchema;
  /** Whether providers may hold the model to the schema to the letter, which not every JSON Schema allows. */
  readonly strict: boolean;
  /**
   * @returns The answer, or what is wrong with it. Both: the model is asked again, and the answer is used where no
   *   better one comes.
   */
  readonly read: (
    answer: unknown,
  ) => { readonly output: Output; readonly problem?: string } | { readonly problem: string };
}

/** One line of a call as models see it. */
export interface HistoryLine {
  readonly role: "user" | "assistant" | "tool";
  readonly content: string;
}
