import type { LanguageModelMiddleware } from "ai";

/** Tells when a call is about to be made, which a recording would have spared. */
export function requestWatch(onRequest: () => void): LanguageModelMiddleware {
  return {
    specificationVersion: "v3",
    wrapGenerate: async ({ doGenerate }) => {
      onRequest();
      return await doGenerate();
    },
  };
}
