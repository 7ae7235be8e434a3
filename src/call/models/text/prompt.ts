import type {
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3TextPart,
  LanguageModelV3ToolCallPart,
} from "@ai-sdk/provider";

/** A message of a reply request, in the form that the AI SDK's functions also accept. */
export type ChatMessage =
  | { readonly role: "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string | AssistantPart[] }
  | { readonly role: "tool"; readonly content: ToolResult[] };

type AssistantPart = LanguageModelV3TextPart | LanguageModelV3ToolCallPart;

/** The result of a tool, as text. */
interface ToolResult {
  readonly type: "tool-result";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: { readonly type: "text" | "error-text"; readonly value: string };
}

/**
 * The prompt of a request, equal to what the AI SDK's `generateText` makes of the same messages: a text becomes a part,
 * empty parts are left out, and tool results in a row become one message.
 */
export function requestPrompt(instructions: string, messages: readonly ChatMessage[]): LanguageModelV3Prompt {
  const prompt: LanguageModelV3Prompt = [{ role: "system", content: instructions }];
  for (const message of messages) {
    const last = prompt.at(-1);
    if (message.role === "tool" && last?.role === "tool") last.content.push(...message.content);
    else if (message.role !== "tool" || message.content.length > 0) prompt.push(promptMessage(message));
  }
  return prompt;
}

function promptMessage(message: ChatMessage): LanguageModelV3Message {
  if (message.role === "tool") return { role: "tool", content: [...message.content] };
  if (typeof message.content === "string")
    return { role: message.role, content: [{ type: "text", text: message.content }] };
  return { role: "assistant", content: message.content.filter((part) => part.type !== "text" || part.text !== "") };
}
