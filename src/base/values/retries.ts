import { type Clock, SYSTEM_CLOCK } from "./clock.ts";

/** How failed attempts are followed by others. */
export interface Retries {
  /** Whether another attempt can help. `failed` counts the failures, from 1. */
  readonly mayPass: (error: unknown, failed: number) => boolean | Promise<boolean>;
  /** Retries at most. Default: no limit, `mayPass` ends them. */
  readonly most?: number;
  /** Milliseconds before the next attempt; see {@link backoffMs} and {@link retryAfterMs}. `undefined`: no pause. */
  readonly pauseMs: (error: unknown, failed: number) => number | undefined;
  /** Called before the pause. */
  readonly onRetry?: ((error: unknown, failed: number) => void) | undefined;
  /** Ends the pauses. Attempts get no signal: they know it. */
  readonly signal?: AbortSignal | undefined;
  /** Default: the machine's clock. */
  readonly clock?: Pick<Clock, "pause"> | undefined;
}

/**
 * Repeats an attempt until it succeeds, or until its failure will not pass.
 *
 * @throws The last attempt's error, or the signal's reason when it is aborted between two attempts.
 */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  { mayPass, most = Number.POSITIVE_INFINITY, pauseMs, onRetry, signal, clock = SYSTEM_CLOCK }: Retries,
): Promise<Result> {
  for (let failed = 1; ; failed++) {
    let error: unknown;
    try {
      return await attempt();
    } catch (thrown) {
      error = thrown;
    }
    if (failed > most || !(await mayPass(error, failed))) throw error;
    onRetry?.(error, failed);
    const pause = pauseMs(error, failed);
    if (pause !== undefined) await clock.pause(pause, signal);
    signal?.throwIfAborted();
  }
}

/** Pauses that double. */
export interface Backoff {
  /** The first pause in milliseconds. */
  readonly firstMs: number;
  /** The longest one. Default: no limit. */
  readonly longestMs?: number;
  /** Each pause is multiplied by a random number from the first to the second, so that clients do not collide again. */
  readonly jitter?: readonly [from: number, to: number];
}

/** The pause after a number of failures in a row, from 1. */
export function backoffMs(
  { firstMs, longestMs = Number.POSITIVE_INFINITY, jitter: [from, to] = [1, 1] }: Backoff,
  failed: number,
): number {
  const doubled = Math.min(longestMs, firstMs * 2 ** Math.min(failed - 1, 50));
  return Math.min(longestMs, doubled * (from + Math.random() * (to - from)));
}

/** The time that a `Retry-After` header asks for, in milliseconds. It holds seconds or a date, which may have passed. */
export function retryAfterMs(header: string | null | undefined, nowMs: number): number | undefined {
  if (!header?.trim()) return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - nowMs;
  return ms >= 0 ? ms : undefined;
}
