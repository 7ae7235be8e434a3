import { defined, own } from "../../../base/values/mod.ts";
import { type AgentGraph, fingerprint } from "../../../document/graph/mod.ts";
import type { Scenario } from "../../../document/scenario/mod.ts";
import type { Divergence } from "../../../document/transcript/mod.ts";
import { compareRuns } from "../../../run/compare/mod.ts";
import { applyChanges } from "../../../run/diagnosis/mod.ts";
import { replay } from "../../../run/replay/mod.ts";
import { type RunOptions, type RunReport, run } from "../../../run/runner/mod.ts";
import { RESULT_STATUSES, type ResultRecord, type StoredRun } from "../../../run/store/mod.ts";
import type { TrialFindings, TrialWork } from "../../studio/mod.ts";
import { selectScenarios } from "../sources.ts";

/** What a trial is held with. */
export interface TrialPlace {
  readonly graph: AgentGraph;
  readonly name: string;
  readonly scenarios: readonly Scenario[];
  /** Options of `run()`; those that store, select or repeat are the trial's. */
  readonly options: RunOptions;
  readonly onCall: () => void;
}

type TriedCall = TrialFindings["calls"][number];

/** Holds the calls of a trial with the agent as it is, and with the other prompts. Nothing is stored. */
export async function holdTrial(work: TrialWork, place: TrialPlace): Promise<TrialFindings> {
  const changes = Object.entries(work.prompts).flatMap(([node, text]) =>
    own(place.graph.nodes, node)?.state_prompt === text ? [] : [{ verb: "set_prompt", node, text } as const],
  );
  const edited = applyChanges(place.graph, changes);
  return "recordings" in work ? await replayBoth(work.recordings, edited, place) : await runBoth(work, edited, place);
}

/** Says the callers' words of stored calls to both versions. */
async function replayBoth(
  recordings: readonly StoredRun[],
  edited: AgentGraph,
  place: TrialPlace,
): Promise<TrialFindings> {
  const { graph, scenarios } = place;
  const known = new Set(scenarios.map(({ name }) => name));
  const { models, requests, judging, limits, turn, liveTools, clock } = place.options;
  const calls: TriedCall[] = [];
  let offline = false;
  for (const stored of recordings) {
    const repeat = async (source: StoredRun, version: AgentGraph): Promise<RunReport> =>
      await replay(source, version, {
        ...defined({ models, requests, judging, limits, turn, liveTools, clock }),
        scenarios,
        judge: true,
        store: false,
        statuses: RESULT_STATUSES,
        name: place.name,
        listeners: { onResult: place.onCall },
      });
    const before = await repeat(stored, graph);
    // the calls with the agent as it is are the recordings of the others: tools return the same to both
    const source: StoredRun = {
      run: { ...stored.run, graphFingerprint: fingerprint(graph) },
      graph,
      results: before.results,
    };
    const after = await repeat(source, edited);
    offline ||= before.offline;
    for (const one of before.results) {
      const call = stored.results.find(({ id }) => id === one.replay?.ofResult);
      const other = after.results.find((result) => result.replay?.ofResult === one.id);
      if (!call || !other) throw new TypeError("unreachable: each call is repeated twice");
      const isKnown = known.has(one.scenario);
      calls.push({
        scenario: one.scenario,
        call: call.id,
        was: call.status,
        original: sideOf(one, isKnown),
        edited: sideOf(other, isKnown),
        divergence: shownDivergence(other.replay?.divergences[0]),
      });
    }
  }
  return { offline, calls, scenario: null };
}

/** Runs a scenario with both versions, as often. */
async function runBoth(
  { scenario, repeats }: { readonly scenario: string; readonly repeats: number },
  edited: AgentGraph,
  place: TrialPlace,
): Promise<TrialFindings> {
  const { graph, name, scenarios, options } = place;
  // a set of callers makes several scenarios of one, and gates end runs early
  const chosen = selectScenarios(scenarios, { names: [scenario], tags: [] }).map((each) => ({
    ...each,
    repeat: null,
    gate: null,
  }));
  const { failFast: _, ...limits } = options.limits ?? {};
  const { share: __, callers: ___, audio: ____, telemetry: _____, ...rest } = options;
  const hold = async (version: AgentGraph): Promise<RunReport> =>
    await run(version, chosen, {
      ...rest,
      ...{ name, limits, store: false, repeat: { times: repeats, sequential: false } },
      listeners: { onResult: place.onCall },
    });
  const [before, after] = [await hold(graph), await hold(edited)];
  const [compared] = compareRuns(before, after).scenarios;
  const calls = before.results.flatMap((one): TriedCall[] => {
    const other = after.results.find(({ trial, scenario: of }) => of === one.scenario && trial === one.trial);
    if (!other) return [];
    const sides = { original: sideOf(one, true), edited: sideOf(other, true) };
    return [{ scenario: one.scenario, call: null, was: null, ...sides, divergence: null }];
  });
  return {
    offline: before.offline,
    calls,
    scenario: compared
      ? {
          ...compared,
          base: { ...compared.base, interval: compared.base.interval && { ...compared.base.interval } },
          head: { ...compared.head, interval: compared.head.interval && { ...compared.head.interval } },
          criteria: compared.criteria.map((each) => ({ ...each })),
        }
      : null,
  };
}

/** A call's verdict by what was expected of it: its status also says whether it is like its recording. */
function sideOf(result: ResultRecord, isKnown: boolean): TriedCall["original"] {
  const { checks, verdicts, errorMessage, endReason, transcript, status } = result;
  const failures = [
    ...checks.filter(({ passed }) => !passed).map(({ kind, expected, reason }) => `${kind} ${expected}: ${reason}`),
    ...verdicts.filter(({ passed }) => !passed).map(({ criterion, reasoning }) => `${criterion}: ${reasoning}`),
  ];
  const isBroken = errorMessage !== null || status === "error" || status === "cancelled" || status === "invalid";
  const isJudged = isKnown && checks.length + verdicts.length > 0;
  return {
    verdict: isBroken ? "error" : isJudged ? (failures.length > 0 ? "fail" : "pass") : null,
    failures: errorMessage === null ? failures : [errorMessage, ...failures],
    endReason: endReason ?? null,
    transcript: transcript.map((message) => ({ ...message })),
  };
}

function shownDivergence(found: Divergence | undefined): TriedCall["divergence"] {
  if (!found) return null;
  const { kind, turn, nodeId, recorded, replayed, reason } = found;
  return { kind, turn, node: nodeId, original: recorded, edited: replayed, reason };
}
