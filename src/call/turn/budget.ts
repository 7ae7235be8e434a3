import { BUDGETS } from "../../document/settings/mod.ts";
import type { CallUsage } from "../models/mod.ts";

/** Turns, time and budget that a call may take. */
export interface CallLimits {
  /** Number of caller turns after which a call ends with `max_turns`, unless the scenario sets a limit. Default: 20. */
  readonly maxTurns?: number;
  /**
   * Time limit of one turn of the agent, and of one move of a custom caller, in milliseconds. Default: 120,000.
   */
  readonly turnTimeoutMs?: number;
  /** Time limit of one tool call, in milliseconds. Default: 30,000. */
  readonly toolTimeoutMs?: number;
  /** What the agent may use in each call and each turn. Default: 20 model calls a turn. */
  readonly budget?: Budget;
}

/** Limits of a budget. A missing limit does not apply. */
export interface BudgetLimits {
  readonly modelCalls?: number;
  /** Input and output tokens together. */
  readonly tokens?: number;
  readonly costUsd?: number;
  /** Time in milliseconds, without waiting for rate limits that a run's calls share. */
  readonly wallMs?: number;
}

/** Limits for a whole call and for each of its turns. */
export interface Budget {
  readonly call?: BudgetLimits;
  readonly turn?: BudgetLimits;
}

/** The usage of a call or a turn. */
export interface Spent {
  modelCalls: number;
  tokens: number;
  costUsd: number;
  /** Milliseconds since {@link startSpending} was called. */
  readonly wallMs: () => number;
}

/** The limit that was exceeded, and the value that exceeded it. */
export interface Exceeded {
  readonly scope: "call" | "turn";
  readonly budget: keyof BudgetLimits;
  readonly limit: number;
  readonly value: number;
}

/**
 * Starts counting.
 *
 * @param now Returns milliseconds. Default: the machine's monotonic clock.
 * @param elapsedMs Milliseconds that have passed before.
 */
export function startSpending(now: () => number = () => performance.now(), elapsedMs = 0): Spent {
  const startedMs = now() - elapsedMs;
  return { modelCalls: 0, tokens: 0, costUsd: 0, wallMs: () => now() - startedMs };
}

/** Adds the usage of a model call. */
export function count(spent: Spent, usage: CallUsage): void {
  spent.modelCalls += 1;
  spent.tokens += usage.inputTokens + usage.outputTokens;
  spent.costUsd += usage.costUsd ?? 0;
}

/** A message for an exceeded limit. */
export function exceededText({ scope, budget, limit, value }: Exceeded): string {
  // shorten sums of floating-point numbers
  const read = Number.isInteger(value) ? value : Number(value.toPrecision(4));
  return `${scope} budget ${budget}: ${read} of ${limit}`;
}

/** Subtracts usage. */
export function spentBefore(spent: Spent, { modelCalls, tokens, costUsd }: Spent): Spent {
  return {
    modelCalls: spent.modelCalls - modelCalls,
    tokens: spent.tokens - tokens,
    costUsd: spent.costUsd - costUsd,
    wallMs: spent.wallMs,
  };
}

/** Returns the first limit that is exceeded, or that another model call would exceed. */
export function exceededLimit(
  scope: Exceeded["scope"],
  limits: BudgetLimits | undefined,
  spent: Spent,
): Exceeded | undefined {
  if (!limits) return undefined;
  const values = { ...spent, wallMs: spent.wallMs() };
  for (const budget of BUDGETS) {
    const limit = limits[budget];
    if (limit !== undefined && values[budget] >= limit) return { scope, budget, limit, value: values[budget] };
  }
  return undefined;
}
