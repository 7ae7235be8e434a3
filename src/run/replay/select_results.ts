import { ScenarioError } from "../../base/errors.ts";
import type { ResultRecord, ResultStatus, StoredRun } from "../store/mod.ts";
import { REPLAYED_STATUSES } from "./options.ts";

/** The selection of a run's results. */
export interface ResultSelection {
  /** Names of scenarios, or ids of results or their first characters. */
  readonly only?: readonly string[];
  readonly statuses?: readonly ResultStatus[];
}

/**
 * Selects the results of a run that can be replayed, in the order of the run's scenarios and trials.
 *
 * @throws {ScenarioError} `invalid-option` for a name without a result, and for an empty selection.
 */
export function selectResults(
  { run, results }: StoredRun,
  { only, statuses = REPLAYED_STATUSES }: ResultSelection,
): readonly ResultRecord[] {
  const planned = Array.isArray(run.plan?.scenarios) ? run.plan.scenarios : [];
  const names = planned.map((each: unknown) => (Array.isArray(each) ? each[0] : each));
  const placeOf = ({ scenario }: ResultRecord) => names.indexOf(scenario);
  const isNamed = ({ scenario, id }: ResultRecord, name: string) => scenario === name || id.startsWith(name);
  const unknown = only?.find((name) => !results.some((result) => isNamed(result, name)));
  if (unknown !== undefined)
    throw refused(`run "${run.id}" has no result "${unknown}"`, "only", "Name a scenario, or the id of a result");
  const found = results
    .filter(({ status }) => statuses.includes(status))
    .filter((result) => only === undefined || only.some((name) => isNamed(result, name)))
    .sort((a, b) => placeOf(a) - placeOf(b) || a.trial - b.trial || (a.attempt ?? 1) - (b.attempt ?? 1));
  if (found.length > 0) return found;
  const hint = `Choose results with the statuses ${statuses.join(", ")}, or choose other statuses`;
  throw refused(`run "${run.id}" has no call with that status`, "statuses", hint);
}

function refused(state: string, option: string, hint: string): ScenarioError {
  return new ScenarioError(`Cannot replay calls: ${state}`, { code: "invalid-option", path: [option], hint });
}
