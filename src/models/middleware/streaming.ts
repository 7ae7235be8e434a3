import type { LanguageModelMiddleware } from "ai";

type Generated = Awaited<ReturnType<NonNullable<LanguageModelMiddleware["wrapGenerate"]>>>;

/**
 * Reads a reply as a stream and tells its words as they come, then hands on the whole as if it had come at once: every
 * layer around it sees one kind of answer. When a try breaks off and another follows, its words are told again.
 */
export function streamingMiddleware(onToken: (text: string) => void): LanguageModelMiddleware {
  return {
    specificationVersion: "v4",
    wrapGenerate: async ({ doStream }) => {
      const { stream, request, response } = await doStream();
      const texts = new Map<string, string>();
      const calls: Generated["content"] = [];
      let end: Pick<Generated, "finishReason" | "usage"> | undefined;
      let warnings: Generated["warnings"] = [];
      for await (const part of stream) {
        if (part.type === "error") throw part.error;
        if (part.type === "stream-start") warnings = part.warnings;
        if (part.type === "text-delta") {
          texts.set(part.id, (texts.get(part.id) ?? "") + part.delta);
          onToken(part.delta);
        }
        if (part.type === "tool-call") calls.push(part);
        if (part.type === "finish") end = { finishReason: part.finishReason, usage: part.usage };
      }
      if (!end) throw new TypeError("network: the stream broke off before its end");
      const content = [...[...texts.values()].map((text) => ({ type: "text" as const, text })), ...calls];
      return { content, ...end, warnings, ...(request ? { request } : {}), ...(response ? { response } : {}) };
    },
  };
}
