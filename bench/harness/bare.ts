import type { JSONSchema7, LanguageModelV3, LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { generateText, jsonSchema, type ModelMessage, Output } from "ai";

/** One request, as a model receives it. */
export type Request = LanguageModelV3CallOptions;

/**
 * Makes one request with the AI SDK alone, with the same prompt, structured output and options
 * for the model.
 */
export async function ask(model: LanguageModelV3, request: Request): Promise<string> {
  const { responseFormat } = request;
  const schema = responseFormat?.type === "json" ? responseFormat.schema : undefined;
  const { text } = await generateText({
    model,
    system: systemOf(request),
    messages: messagesOf(request),
    ...(schema ? { output: Output.object({ schema: jsonSchema(copyOf(schema)) }) } : {}),
    maxRetries: 0,
    abortSignal: new AbortController().signal, // requests of a call are abortable too
    ...(request.providerOptions ? { providerOptions: request.providerOptions } : {}),
  });
  return text;
}

/** Creates a new schema for each request, as applications do. */
function copyOf(schema: JSONSchema7): JSONSchema7 {
  return { ...schema };
}

function systemOf({ prompt }: Request): string {
  return prompt.map((message) => (message.role === "system" ? message.content : "")).join("");
}

/** The messages as applications have them: texts, not the parts into which the AI SDK splits them. */
function messagesOf({ prompt }: Request): ModelMessage[] {
  return prompt.flatMap((message): ModelMessage[] => {
    if (message.role !== "user" && message.role !== "assistant") return [];
    const content = message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
    return [{ role: message.role, content }];
  });
}
