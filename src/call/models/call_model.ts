import type { ModelMessage, Output, ToolSet } from "ai";
import type * as v from "valibot";
import { isCallweaveError, ModelError } from "../../base/errors.ts";
import { isRecord, type JsonObject, readableError } from "../../base/values/mod.ts";
import type { JsonSchema } from "../../document/graph/mod.ts";
import { aiSdk } from "./ai_sdk.ts";
import type { CallOptions } from "./call_options.ts";
import { askedOf, type EmbeddedToolCall } from "./embedded.ts";
import { type LayeredRequest, layers } from "./layers.ts";
import { checkReply, contractCheck, failureOf } from "./middleware/mod.ts";
import type { Model } from "./model.ts";
import { toCurrentVersion } from "./model_version.ts";
import type { InputSchema, Signature, SignatureName } from "./signature.ts";
import {
  EVENT_LINES,
  jsonLine,
  mergedMessages,
  type Note,
  offeredNames,
  parseAnswer,
  renderInput,
  spokenText,
  withMeantNames,
  withNotes,
  withOfferedNames,
  wrapped,
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
  const sdk = await aiSdk();
  const { check, read: readText } = contractCheck(contract);
  const { text } = await generate(sdk, model, signature.name, options, {
    instructions: signature.instructions,
    messages: [{ role: "user", content: renderInput(signature.input, input) }],
    input,
    output: sdk.Output.object({ schema: sdk.jsonSchema({ ...contract.schema }) }),
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
  readonly messages: readonly ModelMessage[];
  readonly input: JsonObject;
  readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters: JsonSchema }[];
}

/** Requests a reply, or the tool calls that the model wants to make first. */
export async function callForReply(model: Model, request: ReplyRequest, options: CallOptions = {}): Promise<Reply> {
  const sdk = await aiSdk();
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
  } = await generate(sdk, model, "respond", listening ?? options, {
    instructions: withNotes(request.instructions, notes),
    messages: offered.size > 0 ? withOfferedNames(messages, offered) : messages,
    input: request.input,
    strict: false,
    check: checkReply,
    notes: unspoken,
    ...(request.tools.length > 0 ? { tools: toolSet(sdk, request.tools, offered) } : {}),
  });
  const text = spokenText(answer, unspoken);
  const toolCalls = withMeantNames(wanted, offered);
  // text next to tool calls is not spoken; whether there are any is known only when the stream ends
  if (!told && toolCalls.length === 0 && text.trim()) onToken?.(text);
  return { text, toolCalls, ...(isCut ? { isCut } : {}) };
}

function toolSet(
  { jsonSchema, tool }: Sdk,
  tools: ReplyRequest["tools"],
  offered: ReadonlyMap<string, string>,
): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, parameters }) => [
      offered.get(name) ?? name,
      tool({ description, inputSchema: jsonSchema({ type: "object", properties: {}, ...parameters }) }),
    ]),
  );
}

interface Generation extends LayeredRequest {
  readonly instructions: string;
  readonly messages: ModelMessage[];
  readonly input: JsonObject;
  readonly output?: Output.Output<unknown, unknown>;
  readonly tools?: ToolSet;
  readonly strict: boolean;
}

type Sdk = Awaited<ReturnType<typeof aiSdk>>;

async function generate(
  { generateText, NoObjectGeneratedError, wrapLanguageModel }: Sdk,
  model: Model,
  signature: SignatureName,
  options: CallOptions,
  request: Generation,
) {
  const { instructions, messages, input, output, tools, strict } = request;
  try {
    const result = await generateText({
      model: wrapped(toCurrentVersion(model), layers(model, signature, options, request), wrapLanguageModel),
      system: instructions, // versions 6 and 7 of the AI SDK both know this name
      messages,
      ...(output ? { output } : {}),
      ...(tools ? { tools } : {}),
      maxRetries: 0, // the retry middleware retries instead, with one limit for all kinds of failure
      ...(options.signal ? { abortSignal: options.signal } : {}),
      // versions 6 and 7 of the AI SDK both know this name too
      ...(options.telemetry ? { experimental_telemetry: options.telemetry.settings(signature) } : {}),
      providerOptions: {
        // embedded models and middleware read the input from here, not from the rendered prompt
        callweave: askedOf(signature, input),
        openai: { strictJsonSchema: strict },
      },
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
  } catch (thrown) {
    const error = readableError(thrown);
    if (isCallweaveError(error)) throw error;
    // the SDK rejects keys such as "__proto__", which are ordinary names here; the answer was validated before
    if (NoObjectGeneratedError.isInstance(error) && error.text)
      return { text: error.text, toolCalls: [], isCut: false };
    throw failureOf(error, { signature, timedOut: false, aborted: options.signal?.aborted === true }).error;
  }
}

/** Parses arguments that the SDK returns as text, such as those with a key "__proto__". */
function asArguments(input: unknown): JsonObject {
  const read = typeof input === "string" ? parseAnswer(input) : input;
  return isRecord(read) ? { ...read } : {};
}
