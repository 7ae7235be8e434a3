import { isRecord } from "../../../src/values/mod.ts";
import type { DocumentShape } from "../../lens/mod.ts";

/** What identifies members, tools, handoffs and aliases within their lists. */
export const DOCUMENT_SHAPE: DocumentShape = {
  keys: [
    "id",
    "assistantOverrides.name",
    "assistantId",
    "assistant.name",
    "function.name",
    "name",
    "key",
    "assistantName",
  ],
  kindOf: (item) => (isRecord(item) ? toolKind(item) : undefined),
};

/** Tools, ways to ends and handoffs are lists of their own in the graph, whatever stands between them in the document. */
function toolKind({ type, destinations }: { readonly [key: string]: unknown }): string | undefined {
  const list: readonly unknown[] = Array.isArray(destinations) ? destinations : [];
  const isInside = list.some((item) => isRecord(item) && (item.type ?? "assistant") === "assistant");
  if (type === "handoff" || (type === "transferCall" && isInside)) return "handoff";
  return type === "endCall" || type === "transferCall" ? "call" : undefined;
}
