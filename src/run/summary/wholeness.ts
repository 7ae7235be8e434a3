import { defined } from "../../base/values/mod.ts";
import type { RunRecord, Store, WaitOptions } from "../store/mod.ts";
import { type MissingOptions, missingIn } from "./missing.ts";

/** Says what a stored run lacks to stand for all of its scenarios, like {@link missingIn}. Reads no transcripts. */
export async function missingInStored(
  store: Pick<Store, "listResults">,
  run: RunRecord,
  options: WaitOptions & MissingOptions = {},
): Promise<readonly string[]> {
  const { wanted, needsSet, ...wait } = options;
  const results = await store.listResults({ runId: run.id, limit: Number.POSITIVE_INFINITY, ...wait });
  return missingIn(run, results, defined({ wanted, needsSet }));
}
