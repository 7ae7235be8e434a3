import type { CallUsage } from "../models/mod.ts";

/** What an agent may use up; what is absent is not limited. */
export interface BudgetLimits {
  readonly modelCalls?: number;
  /** Input and output tokens together. */
  readonly tokens?: number;
  readonly costUsd?: number;
  /** Time, in milliseconds; waiting for limits that the calls of a run share is no part of it. */
  readonly wallMs?: number;
}

/** Limits for a whole call and for each of its turns. */
export interface Budget {
  readonly call?: BudgetLimits;
  readonly turn?: BudgetLimits;
}

/** What has been used of a budget. */
export interface Spent {
  modelCalls: number;
  tokens: number;
  costUsd: number;
  /** Milliseconds since the counting was started. */
  readonly wallMs: () => number;
}

/** The limit that was passed, and by what. */
export interface Exceeded {
  readonly scope: "call" | "turn";
  readonly budget: keyof BudgetLimits;
  readonly limit: number;
  readonly value: number;
}

/**
 * Starts counting.
 *
 * @param now Milliseconds on the clock of the budget. Default: the machine's.
 */
export function startSpending(now: () => number = () => performance.now()): Spent {
  const startedMs = now();
  return { modelCalls: 0, tokens: 0, costUsd: 0, wallMs: () => now() - startedMs };
}

/** Adds what a model call cost. */
export function count(spent: Spent, usage: CallUsage): void {
  spent.modelCalls += 1;
  spent.tokens += usage.inputTokens + usage.outputTokens;
  spent.costUsd += usage.costUsd ?? 0;
}

/** A limit that was passed, in words. */
export function exceededText({ scope, budget, limit, value }: Exceeded): string {
  // sums of prices and of times have digits that nobody reads
  const read = Number.isInteger(value) ? value : Number(value.toPrecision(4));
  return `${scope} budget ${budget}: ${read} of ${limit}`;
}

/** What was used before something that is counted already. */
export function spentBefore(spent: Spent, { modelCalls, tokens, costUsd }: Spent): Spent {
  return {
    modelCalls: spent.modelCalls - modelCalls,
    tokens: spent.tokens - tokens,
    costUsd: spent.costUsd - costUsd,
    wallMs: spent.wallMs,
  };
}

/** The first limit that another model call would pass, or that has been passed. */
export function exceededLimit(
  scope: Exceeded["scope"],
  limits: BudgetLimits | undefined,
  spent: Spent,
): Exceeded | undefined {
  if (!limits) return undefined;
  const values = { ...spent, wallMs: spent.wallMs() };
  for (const budget of ["modelCalls", "tokens", "costUsd", "wallMs"] as const) {
    const limit = limits[budget];
    if (limit !== undefined && values[budget] >= limit) return { scope, budget, limit, value: values[budget] };
  }
  return undefined;
}
