import type { Vapi } from "@vapi-ai/server-sdk";
import type { Path } from "../../../../src/errors.ts";
import { type Guard, isAlways } from "../../../lower/mod.ts";
import { limits } from "../../api/mod.ts";
import { clip } from "../common/mod.ts";
import { vetoLiquid } from "../guards/mod.ts";
import type { Destination, EmitContext } from "../plan/mod.ts";

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
  const destinations = destination ? [emitDestination(destination, description)] : [];
  return {
    type: "transferCall",
    ...(destinations.length > 0 ? { destinations } : {}),
    messages: spoken(words, path, context),
    ...emitRejection(guard, context),
  };
}

/** One place that a transfer may lead to, with what the model is told about it. */
function emitDestination(
  destination: Destination,
  description: string,
): Vapi.CreateTransferCallToolDtoDestinationsItem {
  const told = description ? { description: clip(description, limits().message) } : {};
  return "number" in destination
    ? { type: "number", ...destination, message: "", ...told }
    : { type: "sip", ...destination, message: "", ...told };
}

function spoken(words: string | undefined, path: Path, context: EmitContext): Vapi.CreateEndCallToolDtoMessagesItem[] {
  if (!words) return [];
  if (words.length > limits().message) {
    context.losses.emulated(
      "text-clipped",
      path,
      `The ${words.length} characters that are spoken here are more than the ${limits().message} that Vapi takes`,
      `its first ${limits().message} characters`,
      "Shorten the text",
    );
  }
  return [{ type: "request-start", content: clip(words, limits().message), blocking: true }];
}
