import { isCallweaveError } from "../../../base/errors.ts";
import type { GateVerdict } from "../../../base/statistics/mod.ts";
import { eitherSignal } from "../../../base/values/mod.ts";
import type { CallUsage, Role } from "../../../call/models/mod.ts";
import type { NewResult } from "../../store/mod.ts";
import type { RunOptions } from "../options/mod.ts";
import { roleOf } from "../report/mod.ts";

/** Stops a run before all calls are finished. */
export interface Stop {
  /** Aborted when the run stops, and when the run's own signal is aborted. */
  readonly signal: AbortSignal;
  /**
   * Checks the usage and the error of a finished call.
   *
   * @param error What a model, the caller or the runner threw; `undefined` when nothing was thrown.
   */
  onCall(usage: readonly CallUsage[], error: unknown): void;
  /** Checks a result, and the verdict on its scenario so far. */
  onResult(result: Pick<NewResult, "scenario" | "status">, verdict: GateVerdict): void;
  reason(): { readonly stopped?: string };
}

/**
 * Stops a run when a provider rejects the key at a role's first request, because it would reject every other call too;
 * with `limits.failFast` also at the first scenario that fails and at the first call that ends in an error.
 */
export function createStop({ signal, limits: { failFast = false } = {}, models }: RunOptions): Stop {
  const controller = new AbortController();
  const answered = new Set<Role>();
  let stopped: string | undefined;
  const stop = (reason: string) => {
    if (controller.signal.aborted) return;
    stopped = reason;
    controller.abort();
  };
  return {
    signal: eitherSignal(signal, controller.signal),
    onCall: (usage, error) => {
      for (const { signature, failed } of usage) if (!failed) answered.add(roleOf(signature));
      // scenarios with models of their own may have keys of their own
      if (!isCallweaveError(error) || error.code !== "key-refused" || models?.fromScenarios) return;
      const signature = usage.find((each) => each.signature === error.path[0])?.signature;
      if (signature === undefined || !answered.has(roleOf(signature))) stop(`${error.message} (${error.hint})`);
    },
    onResult: ({ scenario, status }, verdict) => {
      if (failFast && (verdict === "fail" || status === "error")) stop(`"${scenario}" did not pass`);
    },
    reason: () => (stopped === undefined ? {} : { stopped }),
  };
}
