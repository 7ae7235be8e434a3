import type { LanguageModelMiddleware } from "ai";
import { modelName } from "../model.ts";
import { costUsd, type PriceTable } from "../prices.ts";
import type { SignatureName } from "../signature.ts";

/** Usage of one request. Tokens are 0 when the provider does not report them. */
export interface CallUsage {
  readonly signature: SignatureName;
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In US dollars; `undefined` when the model has no price. */
  readonly costUsd: number | undefined;
  /** Set when the request failed. */
  readonly failed?: true;
  /** Time from the request to the answer, in milliseconds. */
  readonly modelMs: number;
}

/** Counts every request that reaches the model, failed ones too. */
export function meterMiddleware(
  signature: SignatureName,
  onUsage: (usage: CallUsage) => void,
  prices: PriceTable = {},
): LanguageModelMiddleware {
  return {
    specificationVersion: "v3",
    wrapGenerate: async ({ doGenerate, model }) => {
      const started = performance.now();
      const name = modelName(model);
      const count = (input = 0, output = 0, failed = false) =>
        onUsage({
          ...(failed ? { failed } : {}),
          signature,
          model: name,
          inputTokens: input,
          outputTokens: output,
          costUsd: costUsd(name, { input, output }, prices),
          modelMs: performance.now() - started,
        });
      try {
        const result = await doGenerate();
        count(result.usage.inputTokens.total, result.usage.outputTokens.total);
        return result;
      } catch (error) {
        count(0, 0, true);
        throw error;
      }
    },
  };
}
