import type { Vapi } from "@vapi-ai/server-sdk";
import type { Path } from "../../src/errors.ts";
import { type AgentNode, isRecord, type ToolDefinition } from "../../src/graph/mod.ts";
import type { EmitContext } from "./context.ts";
import { type Guard, isAlways } from "./guard.ts";
import { vetoLiquid } from "./liquid.ts";
import { clip, MAX_MESSAGE } from "./names.ts";

/** The `rejectionPlan` that vetoes a tool call unless the guard holds; nothing for a guard that always does. */
export function emitRejection(
  guard: Guard | undefined,
  context: EmitContext,
): { readonly rejectionPlan?: Vapi.ToolRejectionPlan } {
  if (!guard || isAlways(guard)) return {};
  return { rejectionPlan: { conditions: [{ type: "liquid", liquid: vetoLiquid(guard, context.variables) }] } };
}

/** The tool that ends the call. Fixed words are spoken before it does. */
export function emitEndCall(
  words: string | undefined,
  guard: Guard | undefined,
  path: Path,
  context: EmitContext,
): Vapi.AssistantOverridesToolsAppendItem.EndCall {
  return { type: "endCall", messages: spoken(words, path, context), ...emitRejection(guard, context) };
}

/** The tool that hands the caller to someone else. */
export function emitTransfer(
  destination: Destination | undefined,
  guard: Guard | undefined,
  description: string,
  path: Path,
  context: EmitContext,
  words?: string,
): Vapi.AssistantOverridesToolsAppendItem.TransferCall {
  if (!destination) {
    context.losses.emulated(
      "transfer-destination",
      path,
      "The graph does not say where the call goes",
      "a transferCall tool without destinations: Vapi asks your server for one (transfer-destination-request)",
      "Give the transfer a number or a SIP address",
    );
  }
  const told = description ? { description: clip(description, MAX_MESSAGE) } : {};
  const destinations: Vapi.CreateTransferCallToolDtoDestinationsItem[] = !destination
    ? []
    : "number" in destination
      ? [{ type: "number", ...destination, message: "", ...told }]
      : [{ type: "sip", ...destination, message: "", ...told }];
  return {
    type: "transferCall",
    ...(destinations.length > 0 ? { destinations } : {}),
    messages: spoken(words, path, context),
    ...emitRejection(guard, context),
  };
}

function spoken(words: string | undefined, path: Path, context: EmitContext): Vapi.CreateEndCallToolDtoMessagesItem[] {
  if (!words) return [];
  if (words.length > MAX_MESSAGE) {
    context.losses.emulated(
      "text-clipped",
      path,
      `The ${words.length} characters that are spoken here are more than the ${MAX_MESSAGE} that Vapi takes`,
      `its first ${MAX_MESSAGE} characters`,
      "Shorten the text",
    );
  }
  return [{ type: "request-start", content: clip(words, MAX_MESSAGE), blocking: true }];
}

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
