import type { LanguageModelV4 } from "@ai-sdk/provider";
import { generated, readCall } from "./embedded.ts";
import { embeddedModel } from "./model.ts";

/** Placeholder while the rules are being written. */
export function offline(): LanguageModelV4 {
  return embeddedModel("offline", async (options) => {
    readCall("offline", options);
    return generated("…");
  });
}
