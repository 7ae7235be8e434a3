import { own } from "../../base/values/mod.ts";

/** Price of a model, in US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
}

/** Prices by `provider/model`. */
export type PriceTable = { readonly [model: string]: ModelPrice };

/**
 * List prices, without discounts for batches or cached input. The user's prices take precedence.
 *
 * @see https://platform.openai.com/docs/pricing (standard tier)
 */
const KNOWN: PriceTable = {
  "openai/gpt-4o": { input: 2.5, output: 10 },
  "openai/gpt-4o-mini": { input: 0.15, output: 0.6 },
  "openai/gpt-4.1": { input: 2, output: 8 },
  "openai/gpt-4.1-mini": { input: 0.4, output: 1.6 },
  "openai/gpt-4.1-nano": { input: 0.1, output: 0.4 },
  "openai/gpt-5": { input: 1.25, output: 10 },
  "openai/gpt-5-mini": { input: 0.25, output: 2 },
  "openai/gpt-5-nano": { input: 0.05, output: 0.4 },
};

const FREE: ModelPrice = { input: 0, output: 0 };

/** Whether the price of a model is known. */
export function hasPrice(model: string, prices: PriceTable = {}): boolean {
  return priceOf(model, prices) !== undefined;
}

/** The cost of a call in US dollars; `undefined` for a model without a price. */
export function costUsd(
  model: string,
  tokens: { readonly input: number; readonly output: number },
  prices: PriceTable = {},
): number | undefined {
  const price = priceOf(model, prices);
  return price && (tokens.input * price.input + tokens.output * price.output) / 1_000_000;
}

/** Built-in models cost nothing. */
function priceOf(model: string, prices: PriceTable): ModelPrice | undefined {
  return own(prices, model) ?? own(KNOWN, model) ?? (model.startsWith("callweave/") ? FREE : undefined);
}
