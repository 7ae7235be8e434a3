import { channel } from "node:diagnostics_channel";
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3FunctionTool,
  SharedV3ProviderOptions,
  SharedV3Warning,
} from "@ai-sdk/provider";
import type { EmbeddingModel, ToolSet } from "ai";
import type * as v from "valibot";
import { isCallweaveError, ModelError } from "../../base/errors.ts";
import {
  isRecord,
  type JsonObject,
  madeOnce,
  parsedJson,
  readableError,
  SYSTEM_CLOCK,
  shown,
} from "../../base/values/mod.ts";
import type { JsonSchema } from "../../document/graph/mod.ts";
import { type CallOptions, DEFAULT_TRY_TIMEOUT_MS, type RequestOptions } from "./call_options.ts";
import { askedOf, type EmbeddedToolCall, generated } from "./embedded.ts";
import { type LayeredRequest, layers, toCurrentVersion } from "./layers.ts";
import { answerInTime, checkReply, contractCheck, failureOf } from "./middleware/mod.ts";
import type { Model } from "./model.ts";
import { namedModel } from "./resolve.ts";
import type { InputSchema, Signature, SignatureName } from "./signature.ts";
import {
  type ChatMessage,
  EVENT_LINES,
  jsonLine,
  mergedMessages,
  type Note,
  offeredNames,
  parseAnswer,
  renderInput,
  requestPrompt,
  spokenText,
  withMeantNames,
  withNotes,
  withOfferedNames,
  wrappedModel,
} from "./text/mod.ts";

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
  const { check, read: readText } = contractCheck(contract);
  const { text } = await askModel(model, signature.name, options, {
    instructions: signature.instructions,
    messages: [{ role: "user", content: renderInput(signature.input, input) }],
    input,
    schema: contract.schema,
    strict: contract.strict,
    check,
    notes: [],
  });
  const read = readText(text);
  if ("output" in read) return read.output;
  throw new ModelError(`Cannot use the recorded answer to "${signature.name}": ${read.problem}`, {
    code: "model-output",
    path: [signature.name],
    hint: "Record it again",
  });
}

/** A spoken reply, or the tool calls to make first. */
export interface Reply {
  /** Without the model's thoughts, and without notes that it repeats. */
  readonly text: string;
  /** Whether the text was cut off at the model's limit of output tokens; absent where it was not. */
  readonly isCut?: true;
  readonly toolCalls: readonly (EmbeddedToolCall & { readonly id: string })[];
}

/** The parts of a reply request. */
export interface ReplyRequest {
  readonly instructions: string;
  /** Events for the model that the caller does not hear. */
  readonly notes?: readonly Note[];
  readonly messages: readonly ChatMessage[];
  readonly input: JsonObject;
  readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters: JsonSchema }[];
}

/** Requests a reply, or the tool calls that the model wants to make first. */
export async function callForReply(model: Model, request: ReplyRequest, options: CallOptions = {}): Promise<Reply> {
  // embedded models accept any name, and look for it in prompts
  const names = model.provider === "callweave" ? [] : request.tools.map(({ name }) => name);
  const offered = offeredNames(names);
  let told = false;
  const { onToken } = options;
  const listening = onToken && {
    ...options,
    onToken: (text: string) => {
      told = true;
      onToken(text);
    },
  };
  const { notes = [] } = request;
  const unspoken = notes.length > 0 ? [...EVENT_LINES, ...notes.map(jsonLine)] : EVENT_LINES;
  const messages = mergedMessages(request.messages);
  const {
    text: answer,
    toolCalls: wanted,
    isCut,
  } = await askModel(model, "respond", listening ?? options, {
    instructions: withNotes(request.instructions, notes),
    messages: offered.size > 0 ? withOfferedNames(messages, offered) : messages,
    input: request.input,
    strict: false,
    check: checkReply,
    notes: unspoken,
    ...(request.tools.length > 0 ? { tools: toolsFor(request.tools, offered) } : {}),
  });
  const text = spokenText(answer, unspoken);
  const toolCalls = withMeantNames(wanted, offered);
  // text next to tool calls is not spoken; whether there are any is known only when the stream ends
  if (!told && toolCalls.length === 0 && text.trim()) onToken?.(text);
  return { text, toolCalls, ...(isCut ? { isCut } : {}) };
}

/** The tools of a request under their offered names. Of tools with one name, the last is offered. */
function toolsFor(
  tools: ReplyRequest["tools"],
  offered: ReadonlyMap<string, string>,
): readonly LanguageModelV3FunctionTool[] {
  const named = tools.map((tool) => [offered.get(tool.name) ?? tool.name, tool] as const);
  return Object.entries(Object.fromEntries(named)).map(([name, { description, parameters }]) => ({
    type: "function",
    name,
    description,
    inputSchema: { type: "object", properties: {}, ...parameters },
  }));
}

/**
 * Sends a request to a model through its layers and returns the answer.
 *
 * The model is called through the provider's interface, with the request that `generateText` of the AI SDK makes of the
 * same parts: the SDK would validate what was validated here, which takes as long as the rest of a turn. Only traced
 * calls go through the SDK, because it makes the spans.
 *
 * @throws {ModelError} `model-failed`, `model-output`, `model-timeout`, `aborted`.
 */
async function askModel(
  model: Model,
  signature: SignatureName,
  options: CallOptions,
  request: ModelRequest,
): Promise<ModelAnswer> {
  try {
    const layered = wrappedModel(toCurrentVersion(model), layers(model, signature, options, request));
    const providerOptions = {
      // embedded models and middleware read the input from here, not from the rendered prompt
      callweave: askedOf(signature, request.input),
      openai: { strictJsonSchema: request.strict },
    };
    if (isTraced(options)) return await askThroughSdk(layered, signature, options, { ...request, providerOptions });
    return await askProvider(layered, { ...callOptions(options, request), providerOptions });
  } catch (thrown) {
    const error = readableError(thrown);
    if (isCallweaveError(error)) throw error;
    throw failureOf(error, { signature, timedOut: false, aborted: options.signal?.aborted === true }).error;
  }
}

function callOptions({ signal }: CallOptions, request: ModelRequest): LanguageModelV3CallOptions {
  const { instructions, messages, schema, tools } = request;
  return {
    prompt: requestPrompt(instructions, messages),
    ...(schema ? { responseFormat: { type: "json", schema: { ...schema } } } : {}),
    ...(tools ? { tools: [...tools], toolChoice: { type: "auto" } } : {}),
    ...(signal ? { abortSignal: signal } : {}),
    headers: {}, // middleware that adds some may expect the object
  };
}

async function askProvider(model: LanguageModelV3, options: LanguageModelV3CallOptions): Promise<ModelAnswer> {
  const { content, finishReason, warnings } = await model.doGenerate(options);
  await logWarnings(model, warnings);
  return {
    text: content.map((part) => (part.type === "text" ? part.text : "")).join(""),
    isCut: finishReason.unified === "length",
    toolCalls: content.flatMap(toolCallsOf),
  };
}

function toolCallsOf(part: LanguageModelV3Content): ModelAnswer["toolCalls"] {
  if (part.type !== "tool-call") return [];
  return [{ id: part.toolCallId, name: part.toolName, arguments: argumentsOf(part.input) }];
}

/** Reads arguments; a model may send none, and those of recordings were not checked. */
function argumentsOf(text: string): JsonObject {
  const read = text.trim() === "" ? {} : (parsedJson(text) ?? parseAnswer(text));
  return isRecord(read) ? { ...read } : {};
}

/**
 * Logs a provider's warnings as the AI SDK does: to the application's `AI_SDK_LOG_WARNINGS`, or to the console unless it
 * is `false`. The SDK exports no function for the console, so that it gets an answer with the warnings.
 */
async function logWarnings(model: LanguageModelV3, warnings: SharedV3Warning[] = []): Promise<void> {
  const log = globalThis.AI_SDK_LOG_WARNINGS;
  if (warnings.length === 0 || log === false) return;
  const { provider, modelId } = model;
  if (typeof log === "function") return log({ warnings, provider, model: modelId });
  const { generateText } = await aiSdk();
  const warning = { ...model, doGenerate: async () => ({ ...generated("-"), warnings }) };
  await generateText({ model: warning, prompt: "-", maxRetries: 0 });
}

/** Channels on which version 7 of the AI SDK publishes its calls. */
const CHANNELS = ["start", "end", "asyncStart", "asyncEnd", "error"].map((name) =>
  channel(`tracing:ai:telemetry:${name}`),
);

/** Whether anything listens to the AI SDK's spans: the call's telemetry, or what the application registered there. */
function isTraced({ telemetry }: CallOptions): boolean {
  if (telemetry || CHANNELS.some(({ hasSubscribers }) => hasSubscribers)) return true;
  return (globalThis.AI_SDK_TELEMETRY_INTEGRATIONS ?? []).length > 0;
}

/** Sends a request through `generateText` of the AI SDK, which makes the spans of the call. */
async function askThroughSdk(
  model: LanguageModelV3,
  signature: SignatureName,
  { signal, telemetry }: CallOptions,
  request: ModelRequest & { readonly providerOptions: SharedV3ProviderOptions },
): Promise<ModelAnswer> {
  const { generateText, jsonSchema, NoObjectGeneratedError, Output, tool } = await aiSdk();
  const { instructions, messages, schema, tools, providerOptions } = request;
  const toolOf = ({ description = "", inputSchema }: LanguageModelV3FunctionTool) =>
    tool({ description, inputSchema: jsonSchema(inputSchema) });
  const toolSet: ToolSet | undefined = tools && Object.fromEntries(tools.map((each) => [each.name, toolOf(each)]));
  try {
    const result = await generateText({
      model,
      system: instructions, // versions 6 and 7 of the AI SDK both know this name
      messages,
      ...(schema ? { output: Output.object({ schema: jsonSchema({ ...schema }) }) } : {}),
      ...(toolSet ? { tools: toolSet } : {}),
      maxRetries: 0, // the retry middleware retries instead, with one limit for all kinds of failure
      ...(signal ? { abortSignal: signal } : {}),
      // versions 6 and 7 of the AI SDK both know this name too
      ...(telemetry ? { experimental_telemetry: telemetry.settings(signature) } : {}),
      providerOptions,
    });
    return {
      text: result.text,
      isCut: result.finishReason === "length",
      toolCalls: result.toolCalls.map((call) => ({
        id: call.toolCallId,
        name: call.toolName,
        arguments: asArguments(call.input),
      })),
    };
  } catch (error) {
    // the SDK rejects keys such as "__proto__", which are ordinary names here; the answer was validated before
    if (NoObjectGeneratedError.isInstance(error) && error.text)
      return { text: error.text, toolCalls: [], isCut: false };
    throw error;
  }
}

/** Parses arguments that the SDK returns as text, such as those with a key "__proto__". */
function asArguments(input: unknown): JsonObject {
  const read = typeof input === "string" ? parseAnswer(input) : input;
  return isRecord(read) ? { ...read } : {};
}

/** One request, before it goes through its layers. */
export interface ModelRequest extends LayeredRequest {
  readonly instructions: string;
  readonly messages: ChatMessage[];
  /** The signature's input, for models and middleware that do not read the rendered prompt. */
  readonly input: JsonObject;
  readonly tools?: readonly LanguageModelV3FunctionTool[];
  /** Whether the provider may enforce the schema. */
  readonly strict: boolean;
}

/** The parts of an answer that a call uses. */
export interface ModelAnswer {
  readonly text: string;
  /** Whether the text was cut off at the model's limit of output tokens. */
  readonly isCut: boolean;
  readonly toolCalls: readonly (EmbeddedToolCall & { readonly id: string })[];
}

/** An embedding model of the AI SDK, or `provider/model`. */
export type EmbeddingReference = EmbeddingModel;

/** Texts per request. Servers limit them: OpenAI to 2,048, others to less. */
const MOST_TEXTS = 256;

/**
 * Embeds texts with a model: one vector for each, in order.
 *
 * @throws {ModelError} `unknown-model`, `missing-key-variable`, `model-failed`, `model-timeout`, `key-refused`, `aborted`.
 */
export async function embedTexts(
  reference: EmbeddingReference,
  texts: readonly string[],
  {
    tryTimeoutMs = DEFAULT_TRY_TIMEOUT_MS,
    retry = {},
    signal,
  }: Pick<RequestOptions, "tryTimeoutMs" | "retry"> & { readonly signal?: AbortSignal } = {},
): Promise<readonly (readonly number[])[]> {
  const model =
    typeof reference === "string"
      ? await namedModel(reference, "embedding", (provider, name) => provider.textEmbeddingModel(name), asEmbedder)
      : reference;
  const { embedMany } = await aiSdk();
  const request = { policy: retry, signature: "embedding", timers: SYSTEM_CLOCK, signal };
  const found: (readonly number[])[] = [];
  for (let from = 0; from < texts.length; from += MOST_TEXTS) {
    const values = texts.slice(from, from + MOST_TEXTS);
    const send = async (abortSignal: AbortSignal) => {
      const { embeddings } = await embedMany({ model, values, maxRetries: 0, abortSignal });
      if (embeddings.length !== values.length) throw missing(values.length, embeddings.length);
      return embeddings;
    };
    found.push(...(await answerInTime(send, { ...request, tryTimeoutMs })));
  }
  return found;
}

function asEmbedder(made: unknown): Embedder {
  if (isEmbedder(made)) return made;
  throw new ModelError(`Cannot use the embedding model: it is ${shown(made)}`, {
    code: "unknown-model",
    path: ["embedding"],
    hint: 'Pass "provider/model", or an embedding model of the AI SDK such as openai.embedding("text-embedding-3-small")',
  });
}

type Embedder = Exclude<EmbeddingReference, string>;

function isEmbedder(made: unknown): made is Embedder {
  return isRecord(made) && typeof made.doEmbed === "function" && typeof made.provider === "string";
}

function missing(asked: number, given: number): ModelError {
  return new ModelError(`Cannot finish "embedding": the model gave ${given} vectors for ${asked} texts`, {
    code: "model-output",
    path: ["embedding"],
    hint: "Use another embedding model",
  });
}

/**
 * The AI SDK, loaded by the first model call: commands without one start faster. Kept, because each `import()` costs a
 * resolution: half of the time of a turn on Node. With its type written out, declarations name nothing that one version of
 * the SDK lacks.
 */
export const aiSdk: () => Promise<typeof import("ai")> = madeOnce(() => import("ai"));
