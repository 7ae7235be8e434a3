import { isRecord, plural, quotedList } from "../../base/values/mod.ts";
import { type ScenarioSource, scenarioFingerprint, toScenarios } from "../../document/scenario/mod.ts";
import type { ResultSummary, RunRecord } from "../store/mod.ts";
import { plannedIn } from "./planned_in.ts";
import { summarise } from "./summarise.ts";

/** The fields of a result that tell whether a run is whole. */
export type StoredOutcome = Pick<ResultSummary, "scenario" | "trial" | "status"> &
  Partial<Pick<ResultSummary, "attempt">>;

/** Names listed in a sentence. */
const MOST_NAMES = 5;

/** Options of {@link missingIn}. */
export interface MissingOptions {
  /** The scenarios that the run must have had, with this content. Default: those that it was started with. */
  readonly wanted?: readonly ScenarioSource[];
  /** Whether a run that does not say what it was started with lacks something. Default: true. */
  readonly needsSet?: boolean;
}

/**
 * What a run lacks to stand for all of its scenarios: scenarios and calls that did not run, are not stored, or ended
 * without a verdict. Empty for a whole run, whether its calls passed or failed.
 *
 * @param results All results of the run.
 * @returns Sentences without a full stop.
 */
export function missingIn(
  run: Pick<RunRecord, "kind" | "finishedAt" | "plan" | "options">,
  results: readonly StoredOutcome[],
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
  const needed = wanted && new Map(toScenarios(wanted).map((each) => [each.name, scenarioFingerprint(each)]));
  const absent = [...(needed?.keys() ?? [])].filter((name) => !set.has(name));
  const changed = [...(needed ?? [])].filter(([name, hash]) => set.has(name) && set.get(name) !== hash);
  const latest = latestOf(results);
  const isSplit = typeof plan.shard === "string" && plan.shard !== "1/1";
  const planned = plannedIn(
    run,
    ran.map((scenario) => ({ scenario, trial: 1 })),
  );
  const undone = planned.flatMap(({ scenario, planned: calls }) => {
    const own = latest.filter((each) => each.scenario === scenario);
    return undoneWords(scenario, own, calls - own.length, isSequential(options, scenario));
  });
  const undecided = summarise(planned, latest).filter(({ verdict }) => verdict === "undecided");
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

/** What is missing of a scenario's calls. */
function undoneWords(
  scenario: string,
  found: readonly StoredOutcome[],
  open: number,
  isSequential: boolean,
): readonly string[] {
  const count = (status: StoredOutcome["status"]) => found.filter((each) => each.status === status).length;
  const [errors, cancelled, invalid] = [count("error"), count("cancelled"), count("invalid")];
  const parts = [
    ...(found.length === 0 ? ["no results"] : open > 0 && !isSequential ? [`${plural(open, "call")} missing`] : []),
    ...(errors > 0 ? [`${plural(errors, "error")}`] : []),
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
    ...(invalid > 0 ? [`${invalid} invalid`] : []),
  ];
  return parts.length === 0 ? [] : [`"${scenario}" has ${parts.join(", ")}`];
}

/** The last attempt of each trial. */
function latestOf(results: readonly StoredOutcome[]): readonly StoredOutcome[] {
  const latest = new Map<string, StoredOutcome>();
  for (const result of results) {
    const key = JSON.stringify([result.scenario, result.trial]);
    const known = latest.get(key);
    if (!known || (known.attempt ?? 1) <= (result.attempt ?? 1)) latest.set(key, result);
  }
  return [...latest.values()];
}

/** Whether trials of a scenario are left out once its gate is decided. */
function isSequential({ sequential }: RunRecord["options"], scenario: string): boolean {
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
