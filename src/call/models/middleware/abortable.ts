import type { LanguageModelMiddleware } from "ai";
import { untilAborted } from "../../../base/values/mod.ts";

/** Rejects as soon as the call is aborted: middleware inside may wait for a start without watching the signal. */
export function abortable(): LanguageModelMiddleware {
  return {
    specificationVersion: "v3",
    wrapGenerate: async ({ doGenerate, params }) => await untilAborted(doGenerate(), params.abortSignal),
  };
}
