import type { ChatMessage } from "./prompt.ts";

const ACCEPTED = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Maps tool names to names that providers accept: the same one, or a similar one.
 *
 * @see https://platform.openai.com/docs/api-reference/chat/create (tools.function.name)
 */
export function offeredNames(names: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set(names.filter((name) => ACCEPTED.test(name)));
  const offered = new Map<string, string>();
  for (const name of names) {
    if (offered.has(name)) continue;
    const near = name.replaceAll(/[^A-Za-z0-9_-]+/g, "_").slice(0, 60) || "tool";
    let free = ACCEPTED.test(name) ? name : near;
    for (let number = 2; free !== name && taken.has(free); number++) free = `${near}_${number}`;
    taken.add(free);
    offered.set(name, free);
  }
  return offered;
}

/** Returns messages with the offered tool names. */
export function withOfferedNames(
  messages: readonly ChatMessage[],
  offered: ReadonlyMap<string, string>,
): ChatMessage[] {
  const nameOf = (name: string) => offered.get(name) ?? name;
  return messages.map((message) => {
    if (message.role === "assistant" && typeof message.content !== "string") {
      const content = message.content.map((part) =>
        part.type === "tool-call" ? { ...part, toolName: nameOf(part.toolName) } : part,
      );
      return { ...message, content };
    }
    if (message.role !== "tool") return message;
    const content = message.content.map((part) =>
      part.type === "tool-result" ? { ...part, toolName: nameOf(part.toolName) } : part,
    );
    return { ...message, content };
  });
}

/** Returns a model's tool calls with the names that the tools have here. */
export function withMeantNames<Call extends { readonly name: string }>(
  calls: readonly Call[],
  offered: ReadonlyMap<string, string>,
): readonly Call[] {
  if (calls.length === 0) return calls;
  const meant = new Map([...offered].map(([name, near]) => [near, name]));
  return calls.map((call) => ({ ...call, name: meant.get(call.name) ?? call.name }));
}
