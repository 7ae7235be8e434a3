import { ModelError } from "../../../base/errors.ts";
import { type Clock, SYSTEM_CLOCK, startTimeLimit } from "../../../base/values/mod.ts";
import { hasPrice, type Model, modelName, type PriceTable } from "../../../call/models/mod.ts";
import type { Usage } from "../../../document/transcript/mod.ts";

/** Limits of a whole repair. */
export interface RepairLimits {
  /** US dollars of all model calls: the diagnosis, the callers, the agent and the judge. Default: no limit. */
  readonly costUsd?: number;
  /** Milliseconds from the start. Default: no limit. */
  readonly wallMs?: number;
}

/** The limits of one repair while it runs. */
export interface Limiter extends Disposable {
  /** Aborts when a limit is reached, or with the caller's signal. */
  readonly signal: AbortSignal;
  /** Adds the usage of model calls. */
  readonly spend: (usage: Pick<Usage, "costUsd">) => void;
  /** The reason to stop the repair; `undefined` while it may continue. */
  readonly reason: () => string | undefined;
}

export function startLimits(
  { costUsd, wallMs }: RepairLimits,
  outer?: AbortSignal,
  clock: Clock = SYSTEM_CLOCK,
): Limiter {
  const controller = new AbortController();
  let spent = 0;
  let reason: string | undefined;
  const stop = (why: string) => {
    reason ??= why;
    controller.abort(new DOMException(why, "AbortError"));
  };
  const onOuter = () => stop("it was aborted");
  if (outer?.aborted) onOuter();
  outer?.addEventListener("abort", onOuter, { once: true });
  const limit = wallMs === undefined ? undefined : startTimeLimit(wallMs, undefined, clock);
  limit?.signal.addEventListener("abort", () => stop(`its time limit of ${wallMs} ms has passed`), { once: true });
  return {
    signal: controller.signal,
    spend: (usage) => {
      spent += usage.costUsd ?? 0;
      if (costUsd !== undefined && spent > costUsd) stop(`it has cost more than its limit of $${costUsd}`);
    },
    reason: () => reason,
    [Symbol.dispose]: () => {
      limit?.[Symbol.dispose]();
      outer?.removeEventListener("abort", onOuter);
    },
  };
}

/**
 * Checks that the prices of all models are known if the cost is limited.
 *
 * @throws {ModelError} `missing-price`.
 */
export function checkPrices(models: readonly Model[], { costUsd }: RepairLimits, prices?: PriceTable): void {
  const unknown = models.map(modelName).find((name) => costUsd !== undefined && !hasPrice(name, prices));
  if (unknown === undefined) return;
  throw new ModelError(`Cannot limit the cost of a repair: the price of "${unknown}" is unknown`, {
    code: "missing-price",
    path: ["requests", "prices", unknown],
    hint: "Add its price to requests.prices, or limit the time instead",
  });
}
