import type { ChatMessage } from "./prompt.ts";

/**
 * Merges consecutive messages of one role: a caller message and a note next to it, a nudge, a steering message. The AI
 * SDK merges them for Anthropic, but not for Google or the chat templates of servers such as vLLM, which reject them.
 * Tool results stay separate.
 *
 * @see https://github.com/vercel/ai/issues/15950
 */
export function mergedMessages(messages: readonly ChatMessage[]): ChatMessage[] {
  const merged: ChatMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role === "user" && message.role === "user" && isText(last) && isText(message)) {
      merged[merged.length - 1] = { ...last, content: `${last.content}\n\n${message.content}` };
    } else if (last?.role === "assistant" && message.role === "assistant" && isText(last) && isText(message)) {
      merged[merged.length - 1] = { ...last, content: `${last.content}\n\n${message.content}` };
    } else {
      merged.push(message);
    }
  }
  return merged;
}

function isText<Message extends ChatMessage>(message: Message): message is Message & { readonly content: string } {
  return typeof message.content === "string";
}
