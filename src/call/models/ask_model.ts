import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3Content } from "@ai-sdk/provider";
import { isCallweaveError } from "../../base/errors.ts";
import { isRecord, type JsonObject, parsedJson, readableError } from "../../base/values/mod.ts";
import { askThroughSdk, isTraced } from "./ask_through_sdk.ts";
import type { CallOptions } from "./call_options.ts";
import { askedOf } from "./embedded.ts";
import { layers } from "./layers.ts";
import { failureOf } from "./middleware/mod.ts";
import type { Model } from "./model.ts";
import type { ModelAnswer, ModelRequest } from "./model_request.ts";
import { toCurrentVersion } from "./model_version.ts";
import { logWarnings } from "./provider_warnings.ts";
import type { SignatureName } from "./signature.ts";
import { parseAnswer, requestPrompt, wrappedModel } from "./text/mod.ts";

/**
 * Sends a request to a model through its layers and returns the answer.
 *
 * The model is called through the provider's interface, with the request that `generateText` of the AI SDK makes of the
 * same parts: the SDK would validate what was validated here, which takes as long as the rest of a turn. Only traced
 * calls go through the SDK, because it makes the spans.
 *
 * @throws {ModelError} `model-failed`, `model-output`, `model-timeout`, `aborted`.
 */
export async function askModel(
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
