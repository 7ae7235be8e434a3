import type { Listeners } from "../../../call/engine/mod.ts";
import type { Message } from "../../../document/transcript/mod.ts";
import type { RunListeners, TrialAttempt } from "../options/mod.ts";

/**
 * Adds the call's place in the run to the run's listeners, and reports the nodes that the call moves to. Replies are
 * streamed only when `onToken` is set.
 */
export function listenersOf({ onToken, onMessage, onTool, onProgress }: RunListeners, slot: TrialAttempt): Listeners {
  const reportNode = ({ metadata: { kind, to } }: Message) => {
    if (kind === "transition" && typeof to === "string") onProgress?.({ kind: "node", ...slot, node: to });
  };
  return {
    ...(onToken ? { onToken: (event) => onToken({ ...event, ...slot }) } : {}),
    ...(onMessage || onProgress
      ? {
          onMessage: ({ message }) => {
            onMessage?.({ message, ...slot });
            reportNode(message);
          },
        }
      : {}),
    ...(onTool ? { onTool: (event) => onTool({ ...event, ...slot }) } : {}),
  };
}
