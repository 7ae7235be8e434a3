import { ScenarioError } from "../../base/errors.ts";
import { checkOptions, isRecord, type JsonObject, type OptionRules, rule } from "../../base/values/mod.ts";
import { RESULT_STATUSES } from "../store/mod.ts";

/**
 * Checks the arguments of a function of comparisons.
 *
 * @throws {ScenarioError} `invalid-option`.
 */
export function checkComparison(
  comparison: unknown,
  action: string,
  more: OptionRules = {},
  values: JsonObject = {},
): void {
  const given = rule("a comparison from compareRuns()", isComparison);
  checkOptions({ comparison: comparison ?? null, ...values }, { comparison: given, ...more }, ScenarioError, action);
}

function isComparison(value: unknown): boolean {
  if (!isRecord(value) || !isRecord(value.base) || !isRecord(value.head)) return false;
  const { base, head } = value;
  const lists = [value.scenarios, value.onlyInBase, value.onlyInHead, value.untested, value.worse, value.better];
  return (
    lists.every(Array.isArray) && isRecord(base.counts) && isRecord(head.counts) && typeof value.summary === "string"
  );
}

/** Whether a value is a run that can be compared. */
export function isComparableRun(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { run = { id: value.id, agent: value.name }, results, scenarios } = value;
  if (!isRecord(run) || typeof run.id !== "string" || typeof run.agent !== "string") return false;
  if (results === undefined) return Array.isArray(scenarios) && scenarios.every(isCounted);
  return Array.isArray(results) && results.every(isResult);
}

function isResult(value: unknown): boolean {
  if (!isRecord(value) || typeof value.scenario !== "string") return false;
  const { status, verdicts = [] } = value;
  return RESULT_STATUSES.some((each) => each === status) && Array.isArray(verdicts) && verdicts.every(isVerdict);
}

function isVerdict(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return typeof value.criterion === "string" && typeof value.passed === "boolean" && typeof value.score === "number";
}

function isCounted(value: unknown): boolean {
  if (!isRecord(value) || typeof value.scenario !== "string" || !isRecord(value.counts)) return false;
  const { counts, criteria } = value;
  const isCriterion = (each: unknown) =>
    isRecord(each) &&
    typeof each.criterion === "string" &&
    typeof each.trials === "number" &&
    typeof each.passes === "number";
  return (
    RESULT_STATUSES.every((status) => typeof counts[status] === "number") &&
    Array.isArray(criteria) &&
    criteria.every(isCriterion)
  );
}
