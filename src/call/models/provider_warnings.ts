import type { LanguageModelV3, SharedV3Warning } from "@ai-sdk/provider";
import { aiSdk } from "./ai_sdk.ts";
import { generated } from "./embedded.ts";

/**
 * Logs a provider's warnings as the AI SDK does: to the application's `AI_SDK_LOG_WARNINGS`, or to the console unless it
 * is `false`. The SDK exports no function for the console, so that it gets an answer with the warnings.
 */
export async function logWarnings(model: LanguageModelV3, warnings: SharedV3Warning[] = []): Promise<void> {
  const log = globalThis.AI_SDK_LOG_WARNINGS;
  if (warnings.length === 0 || log === false) return;
  const { provider, modelId } = model;
  if (typeof log === "function") return log({ warnings, provider, model: modelId });
  const { generateText } = await aiSdk();
  const warning = { ...model, doGenerate: async () => ({ ...generated("-"), warnings }) };
  await generateText({ model: warning, prompt: "-", maxRetries: 0 });
}
