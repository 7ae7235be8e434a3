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

/** The results database, as the studio reads and writes it. */
export interface StudioData extends AsyncDisposable {
  readonly store: Store;
  readonly database: Database;
  /** The graph of a run. The latest ones are kept, because every call of a run needs it. */
  readonly graphOf: (fingerprint: string, runId: string) => Promise<AgentGraph>;
  /** Counts the results of a run. They are counted again when the run has more of them. */
  readonly countsOf: (run: RunRecord) => Promise<readonly StoredCounts[]>;
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
    const graphs = new Map<string, Promise<AgentGraph>>();
    const counted = new Map<string, Promise<readonly StoredCounts[]>>();
    return {
      store,
      database,
      graphOf: async (fingerprint, runId) => {
        const known = graphs.get(fingerprint);
        if (known) return await known;
        const reading = store.showGraph(runId);
        graphs.set(fingerprint, reading);
        reading.catch(() => graphs.delete(fingerprint));
        const [oldest] = graphs.keys();
        if (graphs.size > MOST_GRAPHS && oldest !== undefined) graphs.delete(oldest);
        return await reading;
      },
      countsOf: async ({ id, counts }) => {
        const key = `${id} ${Object.values(counts).join(" ")}`;
        const known = counted.get(key);
        if (known) return await known;
        const counting = store.countResults(id);
        counted.set(key, counting);
        counting.catch(() => counted.delete(key));
        const [oldest] = counted.keys();
        if (counted.size > MOST_COUNTS && oldest !== undefined) counted.delete(oldest);
        return await counting;
      },
      [Symbol.asyncDispose]: async () => {
        await Promise.all([store.close(), database.close()]);
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}
