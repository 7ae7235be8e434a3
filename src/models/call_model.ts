import type { JSONValue } from "@ai-sdk/provider";
import type { ModelMessage, Output, ToolSet } from "ai";
import type * as v from "valibot";
import { ModelError } from "../errors.ts";
import type { JsonObject, JsonSchema } from "../graph/mod.ts";
import type { EmbeddedToolCall } from "./embedded.ts";
import type { Model } from "./model.ts";
import { toModelError } from "./model_error.ts";
import { renderInput } from "./render.ts";
import type { InputSchema, Signature, SignatureName } from "./signature.ts";

/** How long one model call may take unless the caller says otherwise. */
export const DEFAULT_TIMEOUT_MS = 60_000;

/** What holds for one call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Told what the call cost, also when its answer turns out to be of no use. */
  readonly onUsage?: (usage: CallUsage) => void;
}

/** What one model call cost. Tokens that the provider does not count are 0. */
export interface CallUsage {
  readonly signature: SignatureName;
  readonly model: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly model_ms: number;
}

/**
 * Calls a model with a signature's input and returns its typed output.
 *
 * @throws {ModelError} `model-failed`, `model-output`, `model-timeout`, `aborted`.
 */
export async function callModel<Input extends InputSchema, Answer>(
  model: Model,
  signature: Signature<Input, Answer>,
  input: v.InferOutput<Input>,
  options: CallOptions = {},
): Promise<Answer> {
  const contract = signature.output(input);
  const { Output, jsonSchema } = await import("ai");
  const { text } = await generate(model, signature.name, options, {
    instructions: signature.instructions,
    messages: [{ role: "user", content: renderInput(signature.input, input) }],
    input,
    output: Output.object({ schema: jsonSchema({ ...contract.schema }) }),
    strict: contract.strict,
  });
  const read = contract.read(parseAnswer(text));
  if ("output" in read) return read.output;
  throw new ModelError(`Cannot use the model's answer to "${signature.name}": ${read.problem}`, {
    code: "model-output",
    path: [signature.name],
    hint: `Use a model that keeps to JSON schemas; it answered ${JSON.stringify(text.slice(0, 200))}`,
  });
}

/** A reply that is spoken, or tools that are to be called first. */
export interface Reply {
  readonly text: string;
  readonly toolCalls: readonly (EmbeddedToolCall & { readonly id: string })[];
}

/** What a respond call is made of beside its signature's input. */
export interface ReplyRequest {
  readonly instructions: string;
  readonly messages: readonly ModelMessage[];
  readonly input: JsonObject;
  readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters: JsonSchema }[];
}

/** Calls a model for the agent's next words, or for the tools it wants called before it speaks. */
export async function callForReply(model: Model, request: ReplyRequest, options: CallOptions = {}): Promise<Reply> {
  const { jsonSchema, tool } = await import("ai");
  const tools: ToolSet = Object.fromEntries(
    request.tools.map(({ name, description, parameters }) => [
      name,
      tool({ description, inputSchema: jsonSchema({ type: "object", properties: {}, ...parameters }) }),
    ]),
  );
  return await generate(model, "respond", options, {
    instructions: request.instructions,
    messages: [...request.messages],
    input: request.input,
    strict: false,
    ...(request.tools.length > 0 ? { tools } : {}),
  });
}

interface Generation {
  readonly instructions: string;
  readonly messages: ModelMessage[];
  readonly input: JsonObject;
  readonly output?: Output.Output<unknown, unknown>;
  readonly tools?: ToolSet;
  readonly strict: boolean;
}

async function generate(model: Model, signature: SignatureName, options: CallOptions, request: Generation) {
  const { generateText, NoObjectGeneratedError } = await import("ai");
  const { instructions, messages, input, output, tools, strict } = request;
  const timeout = AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const started = performance.now();
  const report = (usage: { inputTokens?: number | undefined; outputTokens?: number | undefined } = {}) =>
    options.onUsage?.({
      signature,
      model: model.modelId,
      input_tokens: usage.inputTokens ?? 0,
      output_tokens: usage.outputTokens ?? 0,
      model_ms: performance.now() - started,
    });
  try {
    const result = await generateText({
      model,
      instructions,
      messages,
      ...(output ? { output } : {}),
      ...(tools ? { tools } : {}),
      abortSignal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
      providerOptions: {
        // models of our own and middleware read what is asked from here instead of from the rendered prompt
        callweave: { signature, input: toJson(input) },
        openai: { strictJsonSchema: strict },
      },
    });
    report(result.usage);
    return {
      text: result.text,
      toolCalls: result.toolCalls.map((call) => ({
        id: call.toolCallId,
        name: call.toolName,
        arguments: asArguments(call.input),
      })),
    };
  } catch (error) {
    // prose around the JSON, or JSON in a fence: parseAnswer knows how to read it
    if (NoObjectGeneratedError.isInstance(error) && error.text) {
      report(error.usage);
      return { text: error.text, toolCalls: [] };
    }
    report();
    throw toModelError(error, { signature, timedOut: timeout.aborted, signal: options.signal });
  }
}

function asArguments(input: unknown): JsonObject {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? { ...input } : {};
}

function toJson(input: JsonObject): Record<string, JSONValue> {
  return JSON.parse(JSON.stringify(input));
}

/** The JSON in an answer, also when the model wraps it in a fence or in prose; `undefined` when there is none. */
function parseAnswer(text: string): unknown {
  const candidates = [text, /```(?:json)?\s*([\s\S]*?)```/.exec(text)?.[1], text.slice(text.indexOf("{"))];
  for (const candidate of candidates) {
    if (!candidate) continue;
    try {
      return JSON.parse(candidate.slice(0, candidate.lastIndexOf("}") + 1) || candidate);
    } catch {
      // the next form may do
    }
  }
  return undefined;
}
