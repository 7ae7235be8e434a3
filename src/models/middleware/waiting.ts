import type { LanguageModelMiddleware } from "ai";
import type { CallClock } from "../call_clock.ts";

/**
 * Stops a call's clock from when a request is made until it is under way: whatever lies between the two layers has held
 * it up. One pair serves one model call, whose tries follow one another.
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
        params.abortSignal?.throwIfAborted(); // it would never tell that it is given up
        const done = clock.pause();
        goOn = done;
        // one that is given up may still be in a queue, but nobody waits for it
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
