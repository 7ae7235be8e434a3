import { formatDollars, plural } from "../../base/values/mod.ts";
import type { RunReport } from "../../run/runner/mod.ts";

/** Returns warnings about results, recordings and spans that were not stored, one sentence each. */
export function storageProblems(report: RunReport): readonly string[] {
  const { id, store, storeError, recordingsError, telemetryError, stored, spooled, lost, spoolFile } = report;
  const unrecorded = [
    ...(recordingsError === null ? [] : [`Recordings are missing: ${recordingsError}`]),
    ...(telemetryError === undefined ? [] : [`Spans are missing at the collector: ${telemetryError}`]),
  ];
  if (storeError === null) return unrecorded;
  return [
    ...unrecorded,
    `Results are missing in the database: ${storeError}`,
    `${stored} of ${plural(stored + spooled + lost, "result")} in ${store ?? "the database"}`,
    ...(spooled > 0
      ? [`${spooled} in the spool file ${spoolFile ?? ""}: "callweave runs recover" writes them to the database`]
      : []),
    ...(lost > 0
      ? [
          `${lost} NOT KEPT: neither the database nor the spool has them, only this report`,
          `The run is not finished: "callweave run --resume ${id}" runs their calls again`,
        ]
      : []),
  ];
}

/** Returns what a reader of the report should know about the run, besides its results. */
export function noticesOf({ modelNotices = [], storeWarnings, results }: RunReport): readonly string[] {
  const played = results.filter(({ offlinePath }) => offlinePath).length;
  return [
    ...(played > 0 ? [playedNotice(played)] : []),
    ...connectionNotices(results),
    ...textNotices(results),
    ...modelNotices,
    ...storeWarnings,
  ];
}

/** Says of calls with an agent where it runs which tools ran, and which expectations were not checked. */
function connectionNotices(results: RunReport["results"]): readonly string[] {
  const real = results.filter(({ connection }) => connection?.realTools).length;
  const notChecked = results.flatMap(({ scenario, connection }) =>
    (connection?.notChecked ?? []).map(({ kind, expected }) => `${kind} ${expected} of "${scenario}"`),
  );
  const names = [...new Set(notChecked)];
  const costs = results.flatMap(({ connection }) => connection?.costUsd ?? []);
  const charged = costs.reduce((sum, cost) => sum + cost, 0);
  return [
    ...(costs.length > 0 ? [`The platform charged ${formatDollars(charged)} for ${plural(costs.length, "call")}`] : []),
    ...(real > 0 ? [`The tools of the agent ran in ${plural(real, "call")}: the run allowed it`] : []),
    ...(names.length > 0 ? [`Not checked, because the connection does not report it: ${names.join("; ")}`] : []),
  ];
}

/** Says of calls in text what only voice shows. */
function textNotices(results: RunReport["results"]): readonly string[] {
  const unheard = results.flatMap(({ scenario, notChecked = [] }) =>
    notChecked.map(({ kind, expected }) => `${kind} ${expected} of "${scenario}"`),
  );
  const steps = results.flatMap(({ scenario, approximations = [] }) =>
    approximations.map(({ step }) => `"${scenario}" ${step}`),
  );
  return [
    ...(unheard.length > 0
      ? [`Not checked, because the calls do not show it: ${[...new Set(unheard)].join("; ")}`]
      : []),
    ...(steps.length > 0 ? [`Steps of the caller that were only approximated: ${[...new Set(steps)].join("; ")}`] : []),
  ];
}

function playedNotice(count: number): string {
  const calls = count === 1 ? "1 call was" : `${count} calls were`;
  return `${calls} played along the path of the scenario, without a language model: this shows that the agent has the path, not that a model takes it. Run with --model to see that.`;
}
