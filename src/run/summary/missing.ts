import { DEFAULT_GATE, isGate } from "../../base/statistics/mod.ts";
import { defined, isRecord, type JsonObject, plural, quotedList } from "../../base/values/mod.ts";
import {
  type CastOf,
  castAgain,
  readCast,
  type Scenario,
  type ScenarioSource,
  scenarioFingerprint,
  toScenarios,
} from "../../document/scenario/mod.ts";
import type { ResultStatus } from "../../document/transcript/mod.ts";
import { countStatuses, type PlannedScenario, type StatusCounts, summarise, summariseCounts } from "./summarise.ts";

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

/** The fields of a stored run that hold its plan and options. */
export interface RunFacts {
  readonly kind: "simulated" | "imported" | "replay";
  /** `null` while it runs. */
  readonly finishedAt: string | null;
  readonly options: JsonObject;
  readonly plan?: JsonObject;
}

/** The fields of a result that are needed to find missing ones. */
export interface StoredOutcome {
  readonly scenario: string;
  readonly trial: number;
  readonly attempt?: number;
  readonly status: ResultStatus;
}

/** The trials of a scenario, counted by their last attempt. */
export interface LatestCounts {
  readonly scenario: string;
  readonly latest: StatusCounts;
}

/** Names listed in a sentence. */
const MOST_NAMES = 5;

/** Options of {@link missingIn}. */
export interface MissingOptions {
  /** The scenarios that the run must have had, with this content. Default: those that it was started with. */
  readonly wanted?: readonly ScenarioSource[];
  /** Whether a run without a stored plan counts as incomplete. Default: true. */
  readonly needsSet?: boolean;
}

/**
 * Lists what a run lacks, like {@link missingIn}, from all of its results.
 *
 * @returns Sentences without a full stop.
 */
export function missingInResults(
  run: RunFacts,
  results: readonly StoredOutcome[],
  options: MissingOptions = {},
): readonly string[] {
  return missingIn(run, latestCounts(results), options);
}

/**
 * Lists why a run is incomplete: scenarios and calls that did not run, are not stored, or ended
 * without a verdict. Empty for a whole run, whether its calls passed or failed.
 *
 * @param found The run's scenarios with results.
 * @returns Sentences without a full stop.
 */
export function missingIn(
  run: RunFacts,
  found: readonly LatestCounts[],
  { wanted, needsSet = true }: MissingOptions = {},
): readonly string[] {
  const { plan = {}, options } = run;
  const ran = pairsIn(plan.scenarios).map(([name]) => name);
  const set = new Map(pairsIn(options.set));
  const unfinished = run.finishedAt === null ? ["it has not finished"] : [];
  const isWithoutSet = ran.length === 0 || set.size === 0;
  if (isWithoutSet && !needsSet) return unfinished;
  if (run.kind !== "simulated") return [`it is ${run.kind === "imported" ? "an imported run" : "a replay"}`];
  if (isWithoutSet) return [...unfinished, "it does not say which scenarios it was started with"];
  const left = [...set.keys()].filter((name) => !ran.includes(name));
  const needed = wanted && new Map(neededOf(toScenarios(wanted), set, options.casts));
  const absent = [...(needed?.keys() ?? [])].filter((name) => !set.has(name));
  const changed = [...(needed ?? [])].filter(([name, hash]) => set.has(name) && set.get(name) !== hash);
  const counts = new Map(found.map(({ scenario, latest }) => [scenario, latest]));
  const isSplit = typeof plan.shard === "string" && plan.shard !== "1/1";
  const planned = plannedIn(
    run,
    ran.map((scenario) => ({ scenario, trial: 1 })),
  );
  const undone = planned.flatMap(({ scenario, planned: calls }) => {
    return undoneWords(scenario, counts.get(scenario) ?? NONE, calls, isSequential(options, scenario));
  });
  const undecided = planned
    .map((each) => summariseCounts(each, counts.get(each.scenario) ?? NONE))
    .filter(({ verdict }) => verdict === "undecided");
  const unexplained = undecided.filter(({ scenario }) => !undone.some((words) => words.startsWith(`"${scenario}"`)));
  return [
    ...unfinished,
    ...(isSplit ? [`it is shard ${String(plan.shard)}`] : []),
    ...(left.length > 0 ? [`${ran.length} of ${set.size} scenarios were selected, without ${listed(left)}`] : []),
    ...(absent.length > 0 ? [`it does not have ${listed(absent)}`] : []),
    ...(changed.length > 0 ? [`${listed(changed.map(([name]) => name))} had another content`] : []),
    ...(isSplit ? [] : undone),
    ...(isSplit ? [] : unexplained).map(({ scenario, reason }) => `"${scenario}": ${reason}`),
  ];
}

/**
 * The scenarios that a run must have had, with their content. Of one that callers of a set played, those that were made
 * of it count.
 */
function neededOf(
  wanted: readonly Scenario[],
  set: ReadonlyMap<string, string>,
  casts: unknown,
): readonly (readonly [string, string])[] {
  const made = (Array.isArray(casts) ? casts : []).flatMap((each: unknown) => {
    const cast = isRecord(each) ? readCast(each, each.traits) : undefined;
    return cast && isRecord(each) ? [{ name: String(each.name), cast }] : [];
  });
  return wanted.flatMap((scenario) => {
    const own = made.filter(({ cast }) => cast.scenario === scenario.name);
    if (set.has(scenario.name) || own.length === 0) return [[scenario.name, scenarioFingerprint(scenario)] as const];
    return own.map(({ name, cast }) => {
      const again = castAgain(scenario, cast);
      return [name, again ? scenarioFingerprint(again) : ""] as const;
    });
  });
}

/** Describes the calls of a scenario that are missing. */
function undoneWords(
  scenario: string,
  counts: StatusCounts,
  planned: number,
  isSequential: boolean,
): readonly string[] {
  const { error: errors, cancelled, invalid } = counts;
  const found = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const open = planned - found;
  const parts = [
    ...(found === 0 ? ["no results"] : open > 0 && !isSequential ? [`${plural(open, "call")} missing`] : []),
    ...(errors > 0 ? [`${plural(errors, "error")}`] : []),
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
    ...(invalid > 0 ? [`${invalid} invalid`] : []),
  ];
  return parts.length === 0 ? [] : [`"${scenario}" has ${parts.join(", ")}`];
}

const NONE = countStatuses([]);

/** Counts the last attempt of each trial. */
function latestCounts(results: readonly StoredOutcome[]): readonly LatestCounts[] {
  const latest = new Map<string, StoredOutcome>();
  for (const result of results) {
    const key = JSON.stringify([result.scenario, result.trial]);
    const known = latest.get(key);
    if (!known || (known.attempt ?? 1) <= (result.attempt ?? 1)) latest.set(key, result);
  }
  const statuses = new Map<string, ResultStatus[]>();
  for (const { scenario, status } of latest.values())
    statuses.set(scenario, [...(statuses.get(scenario) ?? []), status]);
  return [...statuses].map(([scenario, found]) => ({ scenario, latest: countStatuses(found) }));
}

/** Whether trials of a scenario are left out once its gate is decided. */
function isSequential({ sequential }: JsonObject, scenario: string): boolean {
  return Array.isArray(sequential) && sequential.includes(scenario);
}

/** The names of the scenarios that a run was selected from, as its options list them. */
export function namesInSet(set: unknown): readonly string[] {
  return pairsIn(set).map(([name]) => name);
}

function pairsIn(value: unknown): readonly (readonly [string, string])[] {
  if (Array.isArray(value))
    return value.flatMap((each: unknown) => (Array.isArray(each) ? [[String(each[0]), String(each[1])] as const] : []));
  return isRecord(value) ? Object.entries(value).map(([name, hash]) => [name, String(hash)] as const) : [];
}

function listed(names: readonly string[]): string {
  return quotedList(names, MOST_NAMES);
}

/**
 * Reads the plan of a stored run from its options, for the scenarios that have results. Runs without a stored plan, such
 * as imported ones, count as complete.
 */
export function plannedIn(
  { options }: { readonly options: JsonObject },
  results: readonly { readonly scenario: string; readonly trial: number }[],
): readonly PlannedScenario[] {
  const found = new Map<string, number>();
  for (const { scenario, trial } of results) found.set(scenario, Math.max(trial, found.get(scenario) ?? 0));
  const different = new Map(
    (Array.isArray(options.trials) ? options.trials : []).flatMap((each: unknown) =>
      isRecord(each) && typeof each.scenario === "string" ? [[each.scenario, each] as const] : [],
    ),
  );
  const casts = castsIn(options.casts);
  return [...found].map(([scenario, highest]) => {
    const cast = casts.get(scenario);
    const { planned = options.repeat, gate = options.gate } = different.get(scenario) ?? {};
    return {
      scenario,
      planned: typeof planned === "number" ? Math.max(planned, highest) : highest,
      gate: isGate(gate) ? gate : DEFAULT_GATE,
      ...(cast ? { cast } : {}),
    };
  });
}

/** The scenarios of a run that were made of a scenario and a caller of a set. */
function castsIn(casts: unknown): ReadonlyMap<string, CastOf> {
  return new Map(
    (Array.isArray(casts) ? casts : []).flatMap((each: unknown) => {
      if (!isRecord(each)) return [];
      const { name, scenario, caller } = each;
      const isCast = typeof name === "string" && typeof scenario === "string" && typeof caller === "string";
      return isCast ? [[name, { scenario, caller }] as const] : [];
    }),
  );
}
