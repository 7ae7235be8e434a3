import { channel } from "node:diagnostics_channel";
import type { LanguageModelV3, LanguageModelV3FunctionTool, SharedV3ProviderOptions } from "@ai-sdk/provider";
import type { ToolSet } from "ai";
import { isRecord, type JsonObject } from "../../base/values/mod.ts";
import { aiSdk } from "./ai_sdk.ts";
import type { CallOptions } from "./call_options.ts";
import type { ModelAnswer, ModelRequest } from "./model_request.ts";
import type { SignatureName } from "./signature.ts";
import { parseAnswer } from "./text/mod.ts";

/** Channels on which version 7 of the AI SDK publishes its calls. */
const CHANNELS = ["start", "end", "asyncStart", "asyncEnd", "error"].map((name) =>
  channel(`tracing:ai:telemetry:${name}`),
);

/** Whether anything listens to the AI SDK's spans: the call's telemetry, or what the application registered there. */
export function isTraced({ telemetry }: CallOptions): boolean {
  if (telemetry || CHANNELS.some(({ hasSubscribers }) => hasSubscribers)) return true;
  return (globalThis.AI_SDK_TELEMETRY_INTEGRATIONS ?? []).length > 0;
}

/** Sends a request through `generateText` of the AI SDK, which makes the spans of the call. */
export async function askThroughSdk(
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
