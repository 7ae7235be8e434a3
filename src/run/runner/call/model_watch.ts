import type { LanguageModelMiddleware } from "ai";
import type { CallClock } from "../../../call/models/mod.ts";

/** Measures how long a call has been waiting for a model. */
export interface ModelWatch {
  /** Wraps each request of a model call. */
  readonly middleware: LanguageModelMiddleware;
  /** Milliseconds since the first request that was not answered yet; 0 when no request is waiting. */
  waitingMs(): number;
}

/**
 * Creates a watch on the call's clock. Failed requests and retry delays count as waiting; an answer resets the time.
 */
export function createModelWatch(clock: CallClock): ModelWatch {
  let since: number | undefined;
  return {
    waitingMs: () => (since === undefined ? 0 : clock.now() - since),
    middleware: {
      specificationVersion: "v3",
      wrapGenerate: async ({ doGenerate }) => {
        since ??= clock.now();
        const result = await doGenerate();
        since = undefined;
        return result;
      },
    },
  };
}
