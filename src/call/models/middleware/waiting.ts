import type { LanguageModelMiddleware } from "ai";
import type { CallClock } from "../call_clock.ts";

/**
 * Pauses the clock of a call while the layers between the outer and the inner middleware delay a request. One pair
 * serves one model call.
 */
export function waitingMiddleware(clock: CallClock): {
  readonly outer: LanguageModelMiddleware;
  readonly inner: LanguageModelMiddleware;
} {
  let goOn = () => {};
  return {
    outer: {
      specificationVersion: "v3",
      wrapGenerate: async ({ doGenerate, params }) => {
        params.abortSignal?.throwIfAborted(); // an aborted signal fires no event
        const done = clock.pause();
        goOn = done;
        // an aborted request may still be in a queue, but nothing waits for it
        params.abortSignal?.addEventListener("abort", done, { once: true });
        try {
          return await doGenerate();
        } finally {
          params.abortSignal?.removeEventListener("abort", done);
          done();
        }
      },
    },
    inner: {
      specificationVersion: "v3",
      wrapGenerate: async ({ doGenerate }) => {
        goOn();
        return await doGenerate();
      },
    },
  };
}
