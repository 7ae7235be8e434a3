import { EngineError } from "../../../base/errors.ts";
import { dropPromise, shown, thrownWords } from "../../../base/values/mod.ts";
import type { Listeners } from "../call/mod.ts";
import { type CallbackGuard, isTime } from "./callback_guard.ts";
import type { Clocks, ConversationOptions } from "./conversation_options.ts";

/**
 * Wraps a call's listeners so that they never throw. With `requests.stream` tokens arrive without a listener for them.
 *
 * @param onArrival Called before each token of a reply.
 */
export function guardedCallListeners(
  { listeners = {}, requests }: Pick<ConversationOptions, "listeners" | "requests">,
  { wrap }: CallbackGuard,
  onArrival: () => void,
): Listeners {
  const { onToken, onMessage, onTool, onRetry } = listeners;
  const deliverToken = onToken ? wrap("onToken", onToken) : requests?.stream ? () => {} : undefined;
  return {
    ...(deliverToken
      ? {
          onToken: (event) => {
            onArrival();
            deliverToken(event);
          },
        }
      : {}),
    ...(onMessage ? { onMessage: wrap("onMessage", onMessage) } : {}),
    ...(onTool ? { onTool: wrap("onTool", onTool) } : {}),
    ...(onRetry ? { onRetry: wrap("onRetry", onRetry) } : {}),
  };
}

/**
 * Wraps the clock of a call to check the times that it returns.
 *
 * @throws {EngineError} From the returned function: `callback-return`.
 */
export function clockOf({ now }: Clocks = {}): () => Date {
  if (!now) return () => new Date();
  return () => {
    const time: unknown = now();
    if (isTime(time)) return time;
    dropPromise(time);
    throw new EngineError(`Cannot continue the call: now() returned ${shown(time)}`, {
      code: "callback-return",
      path: ["clock", "now"],
      hint: "Return a Date, such as new Date()",
    });
  };
}

/**
 * Throws the error of a listener that failed, after the turn.
 *
 * @throws {EngineError} `callback-failed`.
 */
export function throwFailure(guard: CallbackGuard): void {
  const failure = guard.takeFailure();
  if (!failure) return;
  const { name, error } = failure;
  throw new EngineError(`Cannot notify ${name} of the turn: it failed: ${thrownWords(error)}`, {
    code: "callback-failed",
    path: [name],
    hint: `Fix ${name}; the turn is over and the call can continue`,
    cause: error,
  });
}
