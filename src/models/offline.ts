import type { LanguageModelV3 } from "@ai-sdk/provider";
import { readCall } from "./embedded.ts";
import { embeddedModel } from "./model.ts";
import { answerByRule } from "./offline/mod.ts";

/**
 * The embedded model: deterministic, without a key and without a network. It understands plain cases by their words:
 * conditions that share words with what the caller said, choices, numbers, names and dates that were named. Good enough
 * to smoke-test a flow; its verdicts say themselves that they only match words. Results show it as `callweave/offline`.
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
