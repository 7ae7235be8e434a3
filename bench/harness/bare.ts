import type { JSONSchema7, LanguageModelV3, LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { generateText, jsonSchema, type ModelMessage, Output } from "ai";

/** One request as a model receives it. */
export type Request = LanguageModelV3CallOptions;

/**
 * Makes one request with the AI SDK alone: the same prompt, the same structured output and the same options for the
 * model, and nothing around it.
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
    abortSignal: new AbortController().signal, // the requests of a call can be aborted too
    ...(request.providerOptions ? { providerOptions: request.providerOptions } : {}),
  });
  return text;
}

/** A schema of its own for each request, as an application builds it for each question. */
function copyOf(schema: JSONSchema7): JSONSchema7 {
  return { ...schema };
}

function systemOf({ prompt }: Request): string {
  return prompt.map((message) => (message.role === "system" ? message.content : "")).join("");
}

/** The messages as an application holds them: texts, not the parts into which the AI SDK splits them. */
function messagesOf({ prompt }: Request): ModelMessage[] {
  return prompt.flatMap((message): ModelMessage[] => {
    if (message.role !== "user" && message.role !== "assistant") return [];
    const content = message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
    return [{ role: message.role, content }];
  });
}
