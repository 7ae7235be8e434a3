import type { JSONValue } from "@ai-sdk/provider";
import type { LanguageModelMiddleware, ModelMessage, Output, ToolSet } from "ai";
import type * as v from "valibot";
import { isCallweaveError, ModelError } from "../errors.ts";
import { isRecord, type JsonObject, type JsonSchema } from "../graph/mod.ts";
import { parseAnswer } from "./answer.ts";
import type { CallClock } from "./call_clock.ts";
import type { EmbeddedToolCall } from "./embedded.ts";
import { answerGuard, heldCallClock, heldMiddleware, modelGuard } from "./held_settings.ts";
import { mergedMessages } from "./merged_messages.ts";
import { failureOf } from "./middleware/failure.ts";
import { type CallUsage, meterMiddleware } from "./middleware/meter.ts";
import { requestWatch } from "./middleware/request_watch.ts";
import { type RetryOptions, type RetryPolicy, retryMiddleware } from "./middleware/retry.ts";
import { streamingMiddleware } from "./middleware/streaming.ts";
import { timeLimitMiddleware } from "./middleware/time_limit.ts";
import { waitingMiddleware } from "./middleware/waiting.ts";
import type { Model } from "./model.ts";
import { toCurrentVersion } from "./model_version.ts";
import type { PriceTable } from "./prices.ts";
import { renderInput } from "./render.ts";
import type { InputSchema, Signature, SignatureName } from "./signature.ts";
import { offeredNames, withOfferedNames } from "./tool_names.ts";

/** How long one try of a model call may take unless the caller says otherwise. */
export const DEFAULT_TIMEOUT_MS = 60_000;

/** What is known of a call before it is made. */
export interface CallShape {
  readonly signature: SignatureName;
  /** What of the graph can influence the call beside the request itself. */
  readonly slice: string;
}

/** What holds for one call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Of one try, in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number;
  readonly retry?: RetryPolicy;
  /** Middleware around all tries, outermost first: recording and replaying. */
  readonly around?: (call: CallShape) => readonly LanguageModelMiddleware[];
  /** What of the graph can influence the call; asked for only where somebody is `around` it. */
  readonly slice?: () => string;
  /** Middleware around each try: limits that runs share. */
  readonly within?: readonly LanguageModelMiddleware[];
  /** Stands still while a request is held up by what is `within`. */
  readonly clock?: CallClock;
  /** Prices beside the ones that are known. */
  readonly prices?: PriceTable;
  /** Told of every request that reaches the model. */
  readonly onUsage?: (usage: CallUsage) => void;
  /** Told once the call has to be made, as nothing `around` it has its answer. */
  readonly onRequest?: () => void;
  /** Told the words of a reply as they come; those of one that comes from a recording in one piece. */
  readonly onToken?: (text: string) => void;
}

/** What all model calls of a run have in common. */
export type CallSettings = Pick<CallOptions, "timeoutMs" | "retry" | "around" | "within" | "clock" | "prices">;

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
    check: (answer) => {
      const parsed = parseAnswer(answer);
      const read = contract.read(parsed);
      return "problem" in read ? read : { text: JSON.stringify(parsed) };
    },
  });
  const read = contract.read(parseAnswer(text));
  if ("output" in read) return read.output;
  throw new ModelError(`Cannot use the recorded answer to "${signature.name}": ${read.problem}`, {
    code: "model-output",
    path: [signature.name],
    hint: "Record it anew",
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
  // models of our own refuse no name, and find it in prompts
  const names = model.provider === "callweave" ? [] : request.tools.map(({ name }) => name);
  const offered = offeredNames(names);
  const tools: ToolSet = Object.fromEntries(
    request.tools.map(({ name, description, parameters }) => [
      offered.get(name) ?? name,
      tool({ description, inputSchema: jsonSchema({ type: "object", properties: {}, ...parameters }) }),
    ]),
  );
  let told = false;
  const { onToken } = options;
  const listening = onToken && {
    onToken: (text: string) => {
      told = true;
      onToken(text);
    },
  };
  const reply = await generate(
    model,
    "respond",
    { ...options, ...listening },
    {
      instructions: request.instructions,
      messages: withOfferedNames(mergedMessages(request.messages), offered),
      input: request.input,
      strict: false,
      ...(request.tools.length > 0 ? { tools } : {}),
    },
  );
  const meant = new Map([...offered].map(([name, near]) => [near, name]));
  const toolCalls = reply.toolCalls.map((call) => ({ ...call, name: meant.get(call.name) ?? call.name }));
  // what is said beside tool calls is heard by nobody; as it comes, that cannot be known yet
  if (!told && toolCalls.length === 0 && reply.text.trim()) onToken?.(reply.text);
  return { ...reply, toolCalls };
}

interface Generation {
  readonly instructions: string;
  readonly messages: ModelMessage[];
  readonly input: JsonObject;
  readonly output?: Output.Output<unknown, unknown>;
  readonly tools?: ToolSet;
  readonly strict: boolean;
  readonly check?: NonNullable<RetryOptions["check"]>;
}

async function generate(model: Model, signature: SignatureName, options: CallOptions, request: Generation) {
  const { generateText, NoObjectGeneratedError, wrapLanguageModel } = await import("ai");
  const { instructions, messages, input, output, tools, strict, check } = request;
  try {
    const result = await generateText({
      model: wrapLanguageModel({
        model: toCurrentVersion(model),
        middleware: layers(signature, options, check),
      }),
      system: instructions, // both versions of the SDK know this name
      messages,
      ...(output ? { output } : {}),
      ...(tools ? { tools } : {}),
      maxRetries: 0, // the retry middleware does it, for every kind of failure and with one count
      ...(options.signal ? { abortSignal: options.signal } : {}),
      providerOptions: {
        // models of our own and middleware read what is asked from here instead of from the rendered prompt
        callweave: { signature, input: toJson(input) },
        openai: { strictJsonSchema: strict },
      },
    });
    return {
      text: result.text,
      toolCalls: result.toolCalls.map((call) => ({
        id: call.toolCallId,
        name: call.toolName,
        arguments: asArguments(call.input),
      })),
    };
  } catch (error) {
    if (isCallweaveError(error)) throw error;
    // the SDK refuses keys such as "__proto__", which are ordinary names here; what it read has been checked already
    if (NoObjectGeneratedError.isInstance(error) && error.text) return { text: error.text, toolCalls: [] };
    throw failureOf(error, { signature, timedOut: false, aborted: options.signal?.aborted === true }).error;
  }
}

/** The layers around a model, outermost first. */
function layers(signature: SignatureName, options: CallOptions, check: Generation["check"]): LanguageModelMiddleware[] {
  const within = heldMiddleware(options.within ?? [], "within");
  const waiting = options.clock && within.length > 0 ? waitingMiddleware(heldCallClock(options.clock)) : undefined;
  const around = options.around
    ? heldMiddleware(options.around({ signature, slice: options.slice?.() ?? "" }), "around")
    : [];
  return [
    ...(around.length > 0 ? [answerGuard("around"), ...around] : []),
    ...(options.onRequest ? [requestWatch(options.onRequest)] : []),
    retryMiddleware({
      policy: options.retry ?? {},
      signature,
      ...(check ? { check } : {}),
    }),
    ...(within.length > 0 ? [answerGuard("within")] : []),
    ...(waiting ? [waiting.outer, ...within, waiting.inner] : within),
    ...(options.onUsage ? [meterMiddleware(signature, options.onUsage, options.prices)] : []),
    timeLimitMiddleware(signature, options.timeoutMs ?? DEFAULT_TIMEOUT_MS),
    modelGuard(signature),
    ...(options.onToken && signature === "respond" ? [streamingMiddleware(options.onToken)] : []),
  ];
}

/** The SDK hands on as text what it refuses to read, such as a key "__proto__", which is an ordinary name here. */
function asArguments(input: unknown): JsonObject {
  const read = typeof input === "string" ? parseAnswer(input) : input;
  return isRecord(read) ? { ...read } : {};
}

function toJson(input: JsonObject): Record<string, JSONValue> {
  return JSON.parse(JSON.stringify(input));
}
