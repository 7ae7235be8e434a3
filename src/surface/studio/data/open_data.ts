import type { AgentGraph } from "../../../document/graph/mod.ts";
import {
  type Database,
  type OpenStoreOptions,
  openDatabase,
  openStore,
  type RunRecord,
  type Store,
  type StoredCounts,
} from "../../../run/store/mod.ts";
import { createLatest } from "./latest.ts";

/** The results database, as the studio reads and writes it. */
export interface StudioData extends AsyncDisposable {
  readonly store: Store;
  readonly database: Database;
  /** The graph of a run. The latest ones are kept, because every call of a run needs it. */
  readonly graphOf: (fingerprint: string, runId: string) => Promise<AgentGraph>;
  /** Counts the results of a run. They are counted again when the run has more of them. */
  readonly countsOf: (run: RunRecord) => Promise<readonly StoredCounts[]>;
}

/** A key of what depends on a run's results: it changes with each of them. */
export function countsKey(runId: string, counts: RunRecord["counts"]): string {
  return [runId, ...Object.values(counts)].join(" ");
}

/** Number of graphs that stay in memory. */
const MOST_GRAPHS = 8;
/** Number of runs whose counts stay in memory. */
const MOST_COUNTS = 32;

/**
 * Opens the results database. Creates or migrates it if necessary.
 *
 * @param url As for `openStore()`, but not `:memory:`.
 * @throws {StoreError} `store-unavailable`.
 */
export async function openStudioData(url: string | undefined, options: OpenStoreOptions): Promise<StudioData> {
  const store = await openStore(url, options);
  try {
    const { spool: _, recover: __, ...rest } = options;
    const database = await openDatabase(url, rest);
    const graphs = createLatest<AgentGraph>(MOST_GRAPHS);
    const counted = createLatest<readonly StoredCounts[]>(MOST_COUNTS);
    return {
      store,
      database,
      graphOf: (fingerprint, runId) => graphs(fingerprint, () => store.showGraph(runId)),
      // a run's counts only grow: the same ones are of the same results
      countsOf: ({ id, counts }) => counted(countsKey(id, counts), () => store.countResults(id)),
      [Symbol.asyncDispose]: async () => {
        await Promise.all([store.close(), database.close()]);
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}
