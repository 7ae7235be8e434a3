import type { AgentNode, ToolDefinition } from "../../../../src/graph/mod.ts";
import { isRecord } from "../../../../src/values/mod.ts";

/** Where a transfer leads, in Vapi's words. */
export type Destination =
  | { readonly number: string; readonly extension?: string; readonly numberE164CheckEnabled?: boolean }
  | { readonly sipUri: string };

/**
 * Where a transfer leads, from wherever the graph says it: the node's own metadata, one of its tools, or what another
 * platform keeps with it.
 */
export function findDestination(...places: readonly unknown[]): Destination | undefined {
  for (const place of places) {
    const found = search(place, 0);
    if (found) return found;
  }
  return undefined;
}

/** Like {@link findDestination}, for a transfer node. */
export function destinationOf(node: AgentNode): Destination | undefined {
  const tools: readonly ToolDefinition[] = node.tools;
  return findDestination(node.metadata, ...tools.map((tool) => [tool.metadata, tool]));
}

const NUMBER_KEYS = ["number", "phone_number", "transfer_to", "to"];
const SIP_KEYS = ["sipUri", "sip_uri"];

function search(value: unknown, depth: number): Destination | undefined {
  if (depth > 6) return undefined;
  if (Array.isArray(value)) {
    for (const item of value) {
      const found = search(item, depth + 1);
      if (found) return found;
    }
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== "string") continue;
    if ((SIP_KEYS.includes(key) || NUMBER_KEYS.includes(key)) && /^sips?:/i.test(text)) return { sipUri: text };
    if (NUMBER_KEYS.includes(key) && /^\+?[\d\s().-]{3,40}$|^\{\{[^{}]+\}\}$/.test(text) && text.length <= 40) {
      return destinationFor(text, value.extension);
    }
  }
  for (const child of Object.values(value)) {
    const found = search(child, depth + 1);
    if (found) return found;
  }
  return undefined;
}

function destinationFor(number: string, extension: unknown): Destination {
  return {
    number,
    ...(typeof extension === "string" && extension.length > 0 && extension.length <= 10 ? { extension } : {}),
    ...(/^\+[1-9]\d{1,14}$/.test(number) ? {} : { numberE164CheckEnabled: false }),
  };
}
