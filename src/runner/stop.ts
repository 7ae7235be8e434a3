import { isCallweaveError } from "../errors.ts";
import type { CallUsage, Role } from "../models/mod.ts";
import type { NewResult } from "../store/mod.ts";
import type { RunOptions } from "./options.ts";
import { roleOf } from "./usage.ts";

/** What ends a run before all of its calls are over. */
export interface Stop {
  /** Aborted by the run's own signal too. */
  readonly signal: AbortSignal;
  /**
   * Looks at the requests of a call that is over, and at what a model, a caller or the harness has thrown in it.
   *
   * @param error `undefined`: nothing was thrown.
   */
  onCall(usage: readonly CallUsage[], error: unknown): void;
  /** Looks at each result. */
  onResult(result: Pick<NewResult, "scenario" | "status">): void;
  reason(): { readonly stopped?: string };
}

/**
 * Stops a run when a provider refuses the key of a role's first request, since it would refuse it in every other call
 * too, and with `failFast` at the first call that does not pass.
 */
export function createStop({ signal, failFast = false, scenarioModels = false }: RunOptions): Stop {
  const controller = new AbortController();
  const answered = new Set<Role>();
  let stopped: string | undefined;
  const stop = (reason: string) => {
    if (controller.signal.aborted) return;
    stopped = reason;
    controller.abort();
  };
  return {
    signal: signal ? AbortSignal.any([signal, controller.signal]) : controller.signal,
    onCall: (usage, error) => {
      for (const { signature, failed } of usage) if (!failed) answered.add(roleOf(signature));
      // scenarios with models of their own may have keys of their own
      if (!isCallweaveError(error) || error.code !== "key-refused" || scenarioModels) return;
      const signature = usage.find((each) => each.signature === error.path[0])?.signature;
      if (signature === undefined || !answered.has(roleOf(signature))) stop(`${error.message} (${error.hint})`);
    },
    onResult: ({ scenario, status }) => {
      if (failFast && (status === "fail" || status === "error")) stop(`"${scenario}" did not pass`);
    },
    reason: () => (stopped === undefined ? {} : { stopped }),
  };
}
