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

/** Counts the requests of a model call. */
export interface Meter {
  readonly onUsage: (usage: CallUsage) => void;
  readonly prices?: PriceTable | undefined;
}

/** Reports a request with the tokens of its answer; without them it has failed. */
export function countRequest(
  { onUsage, prices = {} }: Meter,
  request: Pick<CallUsage, "signature" | "model" | "modelMs">,
  tokens?: { readonly input?: number | undefined; readonly output?: number | undefined },
): void {
  const { input = 0, output = 0 } = tokens ?? {};
  const { signature, model, modelMs } = request;
  onUsage({
    ...(tokens ? undefined : { failed: true }),
    signature,
    model,
    modelMs,
    inputTokens: input,
    outputTokens: output,
    costUsd: costUsd(model, { input, output }, prices),
  });
}
