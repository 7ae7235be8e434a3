import { StoreError } from "../../base/errors.ts";
import { canonicalJson, checkOptions, isRecord, rule } from "../../base/values/mod.ts";
import type { CallLabel, ResultRecord, RunRecord } from "./records.ts";
import { differenceOf } from "./shared_runs.ts";
import type { Store, StoredRun, WaitOptions } from "./types.ts";

/** The run that holds the results of the merged ones. */
export interface MergedRun {
  /** The new run. */
  readonly run: RunRecord;
  /** Number of results. */
  readonly results: number;
  /** Scenarios of the plan that none of the runs has a result of. The new run is unfinished then, and can be resumed. */
  readonly missing: readonly string[];
}

const RUNS = {
  runs: rule(
    "a list of runs from showRun(), at least two",
    (value) => Array.isArray(value) && value.length > 1 && value.every(isStoredRun),
  ),
  store: rule("what openStore() returns", (value) => isRecord(value) && typeof value.startRun === "function"),
};

/**
 * Merges runs that did not share a database, such as the shards of one run, into a new run. A result that several of
 * them have is stored once. What people said of the calls is taken along: of two labels of a person for the same place,
 * the later one.
 *
 * @param runs From `showRun()`, of any stores.
 * @returns The new run. It is finished when the merged ones are, and no scenario of their plan is missing.
 * @throws {StoreError} `different-plan` when the runs have another agent or plan; `different-results` when two have
 *   different results of one scenario, trial and attempt; `invalid-option`, `store-failed`.
 * @example
 * ```ts
 * import { flow, openStore, run, scenario } from "callweave";
 * import { mergeRuns } from "callweave/calls";
 *
 * const store = await openStore(":memory:");
 * const hello = flow("hello").conversation("greet", { prompt: "Greet the caller." }).compile();
 * const scenarios = ["Anna", "Ben"].map((name) => scenario(`greets ${name}`, hello).says(`I am ${name}`).visits("greet"));
 * const shards = [1, 2].map((index) => run(hello, scenarios, { store, share: { shard: { index, total: 2 } } }));
 * const stored = (await Promise.all(shards)).map(({ id }) => store.showRun(id));
 * console.log((await mergeRuns(store, await Promise.all(stored))).run.counts);
 * await store.close();
 * ```
 */
export async function mergeRuns(
  store: Store,
  runs: readonly StoredRun[],
  { signal }: WaitOptions = {},
): Promise<MergedRun> {
  checkOptions({ store: store ?? null, runs: runs ?? null }, RUNS, StoreError, "Cannot merge runs");
  const wait = signal ? { signal } : {};
  const [first, ...others] = runs;
  if (!first) throw new TypeError("unreachable: there are at least two runs");
  const whole = withoutShard(first.run);
  for (const { run } of others) refuseOther(whole, withoutShard(run));
  const results = mergeResults(runs);
  const { kind, agent, models, options, plan } = whole;
  const times = runs.map(({ run }) => run.startedAt).sort();
  const startedAt = times[0] ?? whole.startedAt;
  const mergedRuns = runs.map(({ run }) => run.id);
  const started = await store.startRun(
    {
      kind,
      agent,
      models,
      graph: first.graph,
      startedAt,
      options: { ...options, mergedRuns },
      ...(plan ? { plan } : {}),
    },
    wait,
  );
  const stored = await Promise.all(
    results.map(async (each): Promise<readonly [string, string]> => {
      const { id: _, runId: __, ...result } = each;
      return [placeOf(each), (await store.addResult(started.id, result, wait)).id];
    }),
  );
  await store.addLabels(labelsIn(runs, new Map(stored)), wait);
  const missing = missingIn(plan, results);
  const ends = runs.map(({ run }) => run.finishedAt);
  const isFinished = missing.length === 0 && !ends.includes(null);
  const found = { results: results.length, missing };
  if (!isFinished) return { run: await store.findRun(started.id, wait), ...found };
  const finishedAt =
    ends
      .flatMap((end) => end ?? [])
      .sort()
      .at(-1) ?? new Date().toISOString();
  return { run: await store.finishRun(started.id, { finishedAt, ...wait }), ...found };
}

/** What people said of the merged calls, with the new ids. A result that several runs have has one new id. */
function labelsIn(runs: readonly StoredRun[], stored: ReadonlyMap<string, string>): readonly CallLabel[] {
  return runs.flatMap(({ results, labels = [] }) => {
    const places = new Map(results.map((result) => [result.id, placeOf(result)]));
    return labels.flatMap((label) => {
      const call = stored.get(places.get(label.call) ?? "");
      return call === undefined ? [] : [{ ...label, call }];
    });
  });
}

function withoutShard({ plan, ...run }: RunRecord): RunRecord {
  if (plan === undefined) return run;
  const { shard: _, ...rest } = plan;
  return { ...run, plan: rest };
}

function refuseOther(first: RunRecord, other: RunRecord): void {
  const what = differenceOf(other, first);
  if (what === undefined) return;
  throw new StoreError(`Cannot merge run "${other.id}" with run "${first.id}": ${what}`, {
    code: "different-plan",
    path: [other.id],
    hint: "Merge runs of the same agent, scenarios and options",
  });
}

/** Lists each result once, oldest first. */
function mergeResults(runs: readonly StoredRun[]): readonly ResultRecord[] {
  const found = new Map<string, ResultRecord>();
  for (const { results } of runs)
    for (const result of results) {
      const place = placeOf(result);
      const other = found.get(place);
      if (other !== undefined && contentOf(other) !== contentOf(result)) throw differentResults(other, result);
      if (other === undefined) found.set(place, result);
    }
  return [...found.values()].sort((a, b) => (a.startedAt < b.startedAt ? -1 : a.startedAt > b.startedAt ? 1 : 0));
}

/** Identifies a result in the merged run; by its id where a trial may have several. */
function placeOf({ id, scenario, trial, attempt }: ResultRecord): string {
  return JSON.stringify(attempt === undefined ? id : [scenario, trial, attempt]);
}

function contentOf({ id: _, runId: __, ...content }: ResultRecord): string {
  return canonicalJson(content);
}

function differentResults(one: ResultRecord, other: ResultRecord): StoreError {
  const { scenario, trial } = other;
  const state = `they have different results of trial ${trial} of "${scenario}"`;
  return new StoreError(`Cannot merge runs "${one.runId}" and "${other.runId}": ${state}`, {
    code: "different-results",
    path: [other.runId, scenario, trial],
    hint: "Merge shards of one run; compare other runs with callweave runs compare",
  });
}

function missingIn(plan: RunRecord["plan"], results: readonly ResultRecord[]): readonly string[] {
  const names = new Set(results.map(({ scenario }) => scenario));
  const planned = Array.isArray(plan?.scenarios) ? plan.scenarios : [];
  return planned.flatMap((each: unknown) => {
    const name: unknown = Array.isArray(each) ? each[0] : undefined;
    return typeof name === "string" && !names.has(name) ? [name] : [];
  });
}

function isStoredRun(value: unknown): boolean {
  return isRecord(value) && isRecord(value.run) && typeof value.run.id === "string" && Array.isArray(value.results);
}
