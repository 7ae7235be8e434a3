import { GraphError } from "../../../base/errors.ts";
import { checkOptions, isRecords, isTexts, rule } from "../../../base/values/mod.ts";
import { bareName, clauseText, textOf } from "../../../document/expressions/mod.ts";
import {
  type AgentGraph,
  type EquationClause,
  isUnary,
  nodeNames,
  type TransitionCondition,
} from "../../../document/graph/mod.ts";
import type { Call } from "../../../document/transcript/mod.ts";
import { failing, holding, satisfy } from "../equations/mod.ts";
import { code, equationCode, type GraphChange } from "./change_kinds.ts";

/** Changes with the names of nodes in a platform's dashboard: as `nodeName`, and in sentences in place of ids. */
export function namedChanges(
  changes: readonly GraphChange[],
  before: AgentGraph,
  after: AgentGraph,
): readonly GraphChange[] {
  const [earlier, later] = [nodeNames(before), nodeNames(after)];
  return changes.map((change) => {
    const { node, message } = change;
    const [one, other] = [earlier, later].map(({ of }) => (node === undefined ? undefined : of(node)));
    const nodeName = other === node ? one : other;
    return {
      ...change,
      ...(nodeName === undefined || nodeName === node ? {} : { nodeName }),
      message: later.inText(earlier.inText(message)),
    };
  });
}

/** How an equation changed, as the end of a sentence: "is now also taken when `balance < 0`". */
export function equationTail(before: TransitionCondition, after: TransitionCondition): string {
  const [earlier, later] = [before.equations ?? [], after.equations ?? []];
  const kept = new Set(earlier.map(clauseKey));
  const now = new Set(later.map(clauseKey));
  const added = later.filter((clause) => !kept.has(clauseKey(clause)));
  const removed = earlier.filter((clause) => !now.has(clauseKey(clause)));
  const whole = `is taken when ${equationCode(after)} instead of when ${equationCode(before)}`;
  if (earlier.length === 0 || later.length === 0) return whole;
  // one equation alone has no operator
  const either = isOr(before) || isOr(after);
  if (either && ![before, after].every((each) => isOr(each) || (each.equations ?? []).length === 1)) return whole;
  if (added.length === 1 && removed.length === 1 && sameVariable(added, removed))
    return `needs ${texts(added)} instead of ${texts(removed)}`;
  const parts = either
    ? [phrase("is now also taken when", added, " or when "), phrase("is no longer taken when", removed, " or when ")]
    : [phrase("now also needs", added, " and "), phrase("no longer needs", removed, " and ")];
  return parts.filter(Boolean).join(" and ") || whole;
}

function sameVariable([one]: readonly EquationClause[], [other]: readonly EquationClause[]): boolean {
  return one !== undefined && other !== undefined && bareName(one.left) === bareName(other.left);
}

function phrase(words: string, clauses: readonly EquationClause[], between: string): string {
  return clauses.length === 0 ? "" : `${words} ${texts(clauses, between)}`;
}

function texts(clauses: readonly EquationClause[], between = ", "): string {
  return clauses.map((clause) => code(clauseText(clause))).join(between);
}

/**
 * Whether an equation condition holds wherever another does, for all values of the variables. `false` also where that
 * cannot be decided.
 */
export function implies(one: TransitionCondition, other: TransitionCondition): boolean {
  return satisfy([...holding(one), ...failing(other)], new Map()) === "none";
}

/** Whether a condition needs only one of several clauses. */
function isOr({ equations, logical_operator: operator }: TransitionCondition): boolean {
  return operator === "or" && (equations ?? []).length > 1;
}

/** Text by which clauses are compared: equal for clauses that mean the same. */
export function clauseKey({ left, operator, right }: EquationClause): string {
  return JSON.stringify([bareName(left), operator, isUnary(operator) ? "" : (textOf(right) ?? "")]);
}

/** A scenario whose calls are affected by changes. */
export interface AffectedScenario {
  readonly scenario: string;
  /** The changes that affect its calls, in the order of the list. */
  readonly changes: readonly GraphChange[];
  /** The changed nodes that its calls visited, in the order of the first visit. */
  readonly nodes: readonly string[];
}

/**
 * Finds the scenarios whose calls visited changed nodes, and which should run again. A change of the whole agent
 * affects every scenario.
 *
 * @param results Results of runs on either version. Renamed nodes are found under both ids.
 * @returns In the order of the results, without scenarios that no change affects.
 * @throws {GraphError} `invalid-option`.
 */
export function affectedScenarios(
  changes: readonly GraphChange[],
  results: readonly Required<Pick<Call, "scenario" | "nodesVisited">>[],
): readonly AffectedScenario[] {
  checkOptions({ changes: changes ?? null, results: results ?? null }, RULES, GraphError, "Cannot find scenarios");
  const visits = new Map<string, Set<string>>();
  for (const { scenario, nodesVisited } of results) {
    const visited = visits.get(scenario) ?? new Set();
    for (const id of nodesVisited) visited.add(id);
    visits.set(scenario, visited);
  }
  const changed = new Set(changes.flatMap(({ nodes }) => nodes ?? []));
  return [...visits].flatMap(([scenario, visited]) => {
    const met = changes.filter(({ nodes }) => nodes === undefined || nodes.some((id) => visited.has(id)));
    if (met.length === 0) return [];
    return [{ scenario, changes: met, nodes: [...visited].filter((id) => changed.has(id)) }];
  });
}

const RULES = {
  changes: rule("a list of changes, as diffGraphs() returns it", (value) =>
    isRecords(value, ({ nodes }) => nodes === undefined || isTexts(nodes)),
  ),
  results: rule("a list of results { scenario, nodesVisited }", (value) =>
    isRecords(value, ({ scenario, nodesVisited }) => typeof scenario === "string" && isTexts(nodesVisited)),
  ),
};
