import type { Vapi } from "@vapi-ai/server-sdk";
import type { Path } from "../../../../src/errors.ts";
import type { Destination, EmitContext } from "../plan/mod.ts";
import { emitDescription } from "./parts.ts";

/** The tool that ends the call. Fixed words are spoken before it does. */
export function emitEndCall(
  words: string | undefined,
  path: Path,
  context: EmitContext,
): Vapi.AssistantOverridesToolsAppendItem.EndCall {
  return { type: "endCall", messages: spoken(words, path, context) };
}

/**
 * The tool that transfers the caller.
 *
 * @param description When to choose the destination.
 */
export function emitTransfer(
  destination: Destination | undefined,
  description: string,
  path: Path,
  context: EmitContext,
  words?: string,
): Vapi.AssistantOverridesToolsAppendItem.TransferCall {
  if (!destination) context.losses.add("transfer-destination", path);
  const described = description ? { description: emitDescription(description, path, context) } : {};
  const places: Vapi.CreateTransferCallToolDtoDestinationsItem[] = !destination
    ? []
    : "number" in destination
      ? [{ type: "number", ...destination, message: "", ...described }]
      : [{ type: "sip", ...destination, message: "", ...described }];
  return {
    type: "transferCall",
    ...(places.length > 0 ? { destinations: places } : {}),
    messages: spoken(words, path, context),
  };
}

function spoken(words: string | undefined, path: Path, context: EmitContext): Vapi.CreateEndCallToolDtoMessagesItem[] {
  return words ? [{ type: "request-start", content: emitDescription(words, path, context), blocking: true }] : [];
}
