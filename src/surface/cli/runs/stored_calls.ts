import type { ResultRecord, Store } from "../../../run/store/mod.ts";

/** Number of runs to search, newest first. */
const MOST_RUNS = 20;

/**
 * The results of the newest run of each scenario, among the newest runs of the agent.
 *
 * @param names Names of the agent, which may have changed.
 */
export async function storedCalls(
  store: Store,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly ResultRecord[]> {
  const lists = await Promise.all(
    [...new Set(names)].map((agent) => store.listRuns({ agent, limit: MOST_RUNS, signal })),
  );
  const runs = lists.flat().sort((a, b) => (a.id < b.id ? 1 : -1));
  const found: ResultRecord[] = [];
  const seen = new Set<string>();
  for (const { id } of runs.slice(0, MOST_RUNS)) {
    const { results } = await store.showRun(id, { signal });
    const fresh = results.filter(({ scenario }) => !seen.has(scenario));
    for (const { scenario } of fresh) seen.add(scenario);
    found.push(...fresh);
  }
  return found;
}
