import { StoreError } from "../../../base/errors.ts";
import { quotedList } from "../../../base/values/mod.ts";
import type { ResultRecord, Store, StoredRun } from "../../../run/store/mod.ts";
import { usage } from "../arguments/mod.ts";

/** A stored run, and the results to diagnose: the first one of each scenario. */
export interface FailedCalls {
  readonly stored: StoredRun;
  readonly failed: readonly ResultRecord[];
}

const FAILED: readonly ResultRecord["status"][] = ["fail", "error", "invalid"];

/**
 * Finds a result by its id, or the failed results of a run by its id, unique prefix or baseline.
 *
 * @param only Names of scenarios; empty: all.
 * @throws {StoreError} `unknown-run`.
 * @throws {UsageError} `usage` for scenarios that the run does not have.
 */
export async function findFailed(
  store: Store,
  id: string,
  only: readonly string[],
  signal: AbortSignal,
): Promise<FailedCalls> {
  const result = await store.findResult(id, { signal });
  if (result) return { stored: await store.showRun(result.runId, { signal }), failed: [result] };
  const stored = await runOf(store, id, signal);
  const names = new Set(stored.results.map(({ scenario }) => scenario));
  const unknown = only.find((name) => !names.has(name));
  if (unknown !== undefined) {
    const known = quotedList([...names]);
    throw usage(`the run has no scenario "${unknown}"`, `Name one of its scenarios: ${known}`);
  }
  const failed = new Map<string, ResultRecord>();
  for (const each of stored.results) {
    const isWanted = FAILED.includes(each.status) && (only.length === 0 || only.includes(each.scenario));
    // a failed check tells more about the agent than a call that could not be completed
    const known = failed.get(each.scenario);
    if (isWanted && (!known || (known.status !== "fail" && each.status === "fail"))) failed.set(each.scenario, each);
  }
  return { stored, failed: [...failed.values()] };
}

async function runOf(store: Store, id: string, signal: AbortSignal): Promise<StoredRun> {
  try {
    return await store.showRun(id, { signal });
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "unknown-run") throw error;
    throw new StoreError(`Cannot diagnose "${id}": it is neither a result nor a run`, {
      code: "unknown-run",
      path: [id],
      hint: "Copy the id of a result from callweave runs show RUN --json, or that of a run from callweave runs list",
      cause: error,
    });
  }
}
