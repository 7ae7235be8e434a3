import type { LanguageModelMiddleware } from "ai";
import { isRecord } from "../../../base/values/mod.ts";
import { createSpokenFilter } from "../text/mod.ts";
import type { Generated } from "./answer_check.ts";

/**
 * Streams a reply's spoken text to `onToken` and then returns the whole reply, so that other layers see only complete
 * answers. A retried stream starts again. A stream without a finish reason counts as interrupted.
 *
 * @param notes Texts that are never spoken; see {@link createSpokenFilter}.
 */
export function streamingMiddleware(
  onToken: (text: string) => void,
  notes: readonly string[] = [],
): LanguageModelMiddleware {
  return {
    specificationVersion: "v3",
    wrapGenerate: async ({ doStream, params }) => {
      const { stream, request, response } = await doStream();
      const texts = new Map<string, string>();
      const calls: Generated["content"] = [];
      let end: Pick<Generated, "finishReason" | "usage"> | undefined;
      let warnings: Generated["warnings"] = [];
      const filter = createSpokenFilter(notes);
      let blank = ""; // white space is buffered until there is text
      const streamText = (text: string) => {
        blank += text;
        if (!blank.trim()) return;
        onToken(blank);
        blank = "";
      };
      for await (const part of stream) {
        params.abortSignal?.throwIfAborted(); // aborted: the rest is not streamed
        if (part.type === "error") throw brokenOff(part.error);
        if (part.type === "stream-start") warnings = part.warnings;
        if (part.type === "text-delta") {
          texts.set(part.id, (texts.get(part.id) ?? "") + part.delta);
          streamText(filter.push(part.delta));
        }
        if (part.type === "tool-call") calls.push(part);
        if (part.type === "finish") end = { finishReason: part.finishReason, usage: part.usage };
      }
      if (!end || isInterrupted(end.finishReason)) {
        throw new TypeError("network: the stream ended early, without a finish reason");
      }
      streamText(filter.end());
      const content = [...[...texts.values()].map((text) => ({ type: "text" as const, text })), ...calls];
      return { content, ...end, warnings, ...(request ? { request } : {}), ...(response ? { response } : {}) };
    },
  };
}

/** Whether the finish reason is missing, as AI SDK providers report it. */
function isInterrupted({ unified, raw }: { readonly unified: string; readonly raw?: string | undefined }): boolean {
  return unified === "interrupted" || (raw === undefined && (unified === "other" || unified === "error"));
}

/** Returns the error of a broken stream, which providers send as an object of their own or as a parse error. */
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
