import { defined } from "../../base/values/mod.ts";
import { type MissingOptions, missingInResults, type RunFacts, type StoredOutcome } from "./missing.ts";
import { plannedIn } from "./planned_in.ts";
import { summarise } from "./summarise.ts";

/** Lists the results of a run; a store can be passed. */
export interface ResultSource {
  readonly listResults: (query: {
    readonly runId: string;
    readonly limit: number;
    readonly signal?: AbortSignal;
  }) => Promise<readonly StoredOutcome[]>;
}

/** Which scenarios of a stored run failed, and which are incomplete. */
export interface RunStanding {
  /** The scenarios that failed. */
  readonly failed: readonly string[];
  /** Why the run is incomplete, like {@link missingInResults}. */
  readonly missing: readonly string[];
}

/** Finds what failed in a stored run, and why it is incomplete. Reads no transcripts. */
export async function standingOf(
  store: ResultSource,
  run: RunFacts & { readonly id: string },
  { wanted, needsSet, signal }: MissingOptions & { readonly signal?: AbortSignal } = {},
): Promise<RunStanding> {
  const query = { runId: run.id, limit: Number.POSITIVE_INFINITY, ...defined({ signal }) };
  const results = await store.listResults(query);
  const failed = summarise(plannedIn(run, results), results).filter(({ verdict }) => verdict === "fail");
  return {
    failed: failed.map(({ scenario }) => scenario),
    missing: missingInResults(run, results, defined({ wanted, needsSet })),
  };
}
