import type { LanguageModelV3 } from "@ai-sdk/provider";
import { readCall } from "./embedded.ts";
import { embeddedModel } from "./model.ts";
import { answerByRule } from "./offline/mod.ts";

/**
 * The built-in offline model: deterministic, without key or network. It compares words: conditions with the caller's
 * message, choices, numbers, names and dates. Good enough for smoke tests; its verdicts state that they only match
 * words. Its name in results is `callweave/offline`.
 *
 * @example
 * ```ts
 * import { conversation, flow, offline } from "callweave";
 *
 * const hello = flow("hello").conversation("greet", { prompt: "Greet the caller." }).compile();
 * const call = conversation(hello, { models: { agent: offline() } });
 * ```
 */
export function offline(): LanguageModelV3 {
  return embeddedModel("offline", async (options) => answerByRule(readCall("offline", options), options));
}
