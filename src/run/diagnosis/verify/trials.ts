import { isRecord, type JsonObject, omit, sameJson } from "../../../base/values/mod.ts";
import { type AgentGraph, fingerprint } from "../../../document/graph/mod.ts";
import type { Scenario } from "../../../document/scenario/mod.ts";
import type { Usage } from "../../../document/transcript/mod.ts";
import { functionsOf, planDocument, prepareRun, type RunOptions, type RunReport, run } from "../../runner/mod.ts";
import type { ResultRecord, StoredRun } from "../../store/mod.ts";
import type { Limiter } from "./limits.ts";
import type { MeasuredTrials, RepairEvent } from "./types.ts";

/** Runs the trials of a repair, and tracks its runs and their cost. */
export interface Bench {
  /** Runs scenarios on a graph, each `repeats` times. */
  readonly run: (
    graph: AgentGraph,
    scenarios: readonly Scenario[],
    measures: "before" | "failing" | "affected",
  ) => Promise<RunReport>;
  readonly runIds: readonly string[];
  readonly usages: readonly Usage[];
}

/** Creates the trial runner of a repair. Its runs say that they are parts of all `scenarios`. */
export function createBench(
  { repeats, scenarios: all, runOptions }: BenchSettings,
  limiter: Limiter,
  onProgress: (event: RepairEvent) => void,
): Bench {
  const runIds: string[] = [];
  const usages: Usage[] = [];
  return {
    runIds,
    usages,
    run: async (graph, scenarios, measures) => {
      onProgress({ kind: "run", measures, scenarios: scenarios.map(({ name }) => name), repeats });
      const own = trialOptions(runOptions, repeats);
      const report = await run(graph, scenarios.map(withoutTrials), {
        ...own,
        share: { ...own.share, selectedFrom: runOptions.share?.selectedFrom ?? all },
        signal: limiter.signal,
        listeners: {
          ...runOptions.listeners,
          onResult: (event) => {
            limiter.spend(event.result.usage);
            runOptions.listeners?.onResult?.(event);
          },
        },
      });
      runIds.push(report.id);
      usages.push(report.usage);
      return report;
    },
  };
}

/** The settings that all runs of a repair share. */
export interface BenchSettings {
  readonly repeats: number;
  /** All scenarios of the agent. */
  readonly scenarios: readonly Scenario[];
  readonly runOptions: RunOptions;
}

/** The options of a run without early stopping. */
function trialOptions(options: RunOptions, repeat: number): RunOptions {
  const { failFast: _, ...limits } = options.limits ?? {};
  const { resume: __, shard: ___, joinRun: ____, ...share } = options.share ?? {};
  return { ...options, limits, share, repeat: { times: repeat, sequential: false } };
}

/** A scenario without its own number of trials and gate: both sides of a comparison need the same number. */
function withoutTrials(scenario: Scenario): Scenario {
  return { ...scenario, repeat: null, gate: null };
}

/** The trials of a scenario that passed or failed. */
export function countedTrials(
  scenario: string,
  { id, results }: { readonly id: string; readonly results: readonly ResultRecord[] },
): MeasuredTrials {
  const own = results.filter((result) => result.scenario === scenario);
  const passes = own.filter(({ status }) => status === "pass").length;
  return { passes, trials: passes + own.filter(({ status }) => status === "fail").length, runId: id };
}

/**
 * The scenarios of a stored run whose results are valid for the unchanged graph: it used this graph, the same
 * models and settings, the scenario is unchanged, and so is the code of checks and tools, by its `codeVersion`.
 */
export async function reusableScenarios(
  graph: AgentGraph,
  scenarios: readonly Scenario[],
  { run: record }: StoredRun,
  runOptions: RunOptions,
): Promise<ReadonlySet<string>> {
  if (record.graphFingerprint !== fingerprint(graph) || !record.plan || scenarios.length === 0) return new Set();
  const prepared = await prepareRun(graph, scenarios.map(withoutTrials), trialOptions(runOptions, 1));
  prepared.over.abort();
  const isUnknownCode =
    runOptions.share?.codeVersion === undefined && functionsOf({ graph, scenarios, options: runOptions }).length > 0;
  if (isUnknownCode) return new Set();
  const plan = planDocument(prepared);
  if (!sameJson(settingsIn(plan), settingsIn(record.plan))) return new Set();
  const [before, now] = [contentsIn(record.plan), contentsIn(plan)];
  return new Set(
    scenarios.map(({ name }) => name).filter((name) => before.has(name) && before.get(name) === now.get(name)),
  );
}

/** The plan of a run without its scenarios and number of trials. */
function settingsIn(plan: JsonObject): JsonObject {
  return omit(isRecord(plan) ? plan : {}, ["scenarios", "repeats", "gates", "variance"]);
}

/** Hashes of the scenarios of a plan, by name. */
function contentsIn({ scenarios }: JsonObject): ReadonlyMap<unknown, unknown> {
  return new Map((Array.isArray(scenarios) ? scenarios : []).filter(Array.isArray).map(([name, hash]) => [name, hash]));
}
