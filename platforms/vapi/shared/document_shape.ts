import { isRecord } from "../../../src/base/values/mod.ts";
import type { DocumentShape } from "../../lens/mod.ts";

/** Identity keys and kinds of members, tools, handoffs and aliases. */
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

/** Returns the kind of a tool. The graph separates tools, transitions to ends, and handoffs; documents mix them. */
function toolKind({ type, destinations }: { readonly [key: string]: unknown }): string | undefined {
  const list: readonly unknown[] = Array.isArray(destinations) ? destinations : [];
  const isInside = list.some((item) => isRecord(item) && (item.type ?? "assistant") === "assistant");
  if (type === "handoff" || (type === "transferCall" && isInside)) return "handoff";
  return type === "endCall" || type === "transferCall" ? "call" : undefined;
}
