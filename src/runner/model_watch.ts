import type { LanguageModelMiddleware } from "ai";
import type { CallClock } from "../models/mod.ts";

/** Knows for how long a call has been waiting for a model. */
export interface ModelWatch {
  /** Goes around each try of a model call. */
  readonly middleware: LanguageModelMiddleware;
  /** Milliseconds since the first try that no try has succeeded after; 0 when the models have answered. */
  waitingMs(): number;
}

/** Starts to watch, by the call's clock; failed tries and the waits between them count, answers start anew. */
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
