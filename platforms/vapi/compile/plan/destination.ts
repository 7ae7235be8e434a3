import type { AgentNode } from "../../../../src/graph/mod.ts";
import { isRecord, type JsonObject } from "../../../../src/values/mod.ts";

/** Destination of a transfer in Vapi's JSON. */
export type Destination =
  | { readonly number: string; readonly extension?: string; readonly numberE164CheckEnabled?: boolean }
  | { readonly sipUri: string };

const NUMBER_KEYS = ["number", "phone_number", "transfer_to", "to"];
const SIP_KEYS = ["sipUri", "sip_uri"];
const MAX_DEPTH = 6;

/** Finds the destination of a transfer node in its metadata, including that of other platforms, or in its tools. */
export function destinationOf(node: AgentNode): Destination | undefined {
  return findDestination(node.metadata, ...node.tools.map((tool) => [tool.metadata, tool]));
}

/** Finds the first destination in the given objects, at any depth up to a limit. */
export function findDestination(...places: readonly unknown[]): Destination | undefined {
  return search(places, -1);
}

function search(value: unknown, depth: number): Destination | undefined {
  if (depth > MAX_DEPTH || (!Array.isArray(value) && !isRecord(value))) return undefined;
  const found = isRecord(value) ? readDestination(value) : undefined;
  if (found) return found;
  for (const child of Object.values(value)) {
    const inner = search(child, depth + 1);
    if (inner) return inner;
  }
  return undefined;
}

function readDestination(settings: JsonObject): Destination | undefined {
  for (const [key, text] of Object.entries(settings)) {
    const isNumber = NUMBER_KEYS.includes(key);
    if (typeof text !== "string" || (!isNumber && !SIP_KEYS.includes(key))) continue;
    if (/^sips?:/i.test(text)) return { sipUri: text };
    if (!isNumber || text.length > 40 || !/^\+?[\d\s().-]{3,40}$|^\{\{[^{}]+\}\}$/.test(text)) continue;
    const { extension } = settings;
    return {
      number: text,
      ...(typeof extension === "string" && extension.length > 0 && extension.length <= 10 ? { extension } : {}),
      ...(/^\+[1-9]\d{1,14}$/.test(text) ? {} : { numberE164CheckEnabled: false }),
    };
  }
  return undefined;
}
