import type { ModelMessage } from "ai";

/**
 * Messages in which texts of one side that follow one another are one: a caller's line and a note beside it, a nudge, a
 * steering message. The AI SDK merges them for Anthropic, but neither for Google, whose models refuse them, nor for the
 * chat templates of servers such as vLLM, which do as well. Tools' results stay by themselves.
 *
 * @see https://github.com/vercel/ai/issues/15950
 */
export function mergedMessages(messages: readonly ModelMessage[]): ModelMessage[] {
  const merged: ModelMessage[] = [];
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

function isText<Message extends ModelMessage>(message: Message): message is Message & { readonly content: string } {
  return typeof message.content === "string";
}
