import type { LanguageModelMiddleware } from "ai";

/** Calls `onRequest` when a request is sent instead of replayed. */
export function requestWatch(onRequest: () => void): LanguageModelMiddleware {
  return {
    specificationVersion: "v3",
    wrapGenerate: async ({ doGenerate }) => {
      onRequest();
      return await doGenerate();
    },
  };
}
