import type { LanguageModelMiddleware } from "ai";
import { isRecord } from "../../graph/mod.ts";

type Generated = Awaited<ReturnType<NonNullable<LanguageModelMiddleware["wrapGenerate"]>>>;

/**
 * Reads a reply as a stream and tells its words as they come, then hands on the whole as if it had come at once: every
 * layer around it sees one kind of answer. When a try breaks off and another follows, its words are told again.
 */
export function streamingMiddleware(onToken: (text: string) => void): LanguageModelMiddleware {
  return {
    specificationVersion: "v3",
    wrapGenerate: async ({ doStream, params }) => {
      const { stream, request, response } = await doStream();
      const texts = new Map<string, string>();
      const calls: Generated["content"] = [];
      let end: Pick<Generated, "finishReason" | "usage"> | undefined;
      let warnings: Generated["warnings"] = [];
      for await (const part of stream) {
        params.abortSignal?.throwIfAborted(); // nobody waits for what comes now
        if (part.type === "error") throw brokenOff(part.error);
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

/** Providers send what went wrong in the midst of a stream as an object of their own, or as what could not be read. */
function brokenOff(error: unknown): unknown {
  if (isRecord(error) && typeof error.statusCode === "number") return error;
  if (error instanceof Error) return new Error(`network: the stream broke off: ${error.message}`, { cause: error });
  const { message, code, type } = isRecord(error) ? error : { message: error };
  const words = [message, code ?? type].filter((part) => typeof part === "string" && part !== "").join(" ");
  const status = Number(code);
  const refused = /^invalid_|authentication|permission|not_found/.test(String(type));
  return Object.assign(new Error(words || "the provider broke the stream off"), {
    statusCode: status >= 400 ? status : refused ? 400 : 500,
    responseBody: JSON.stringify(error),
  });
}
