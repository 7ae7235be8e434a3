import type { AffectedScenario, ChangeRisk, GraphChange } from "../../../agent/analysis/mod.ts";

/** The result of the command. */
export interface Comparison {
  /** The agent's name. */
  readonly name: string;
  readonly changes: readonly GraphChange[];
  /** Absent: no database was given. */
  readonly stored?: StoredScenarios;
}

/** The stored results that the changes affect. */
export interface StoredScenarios {
  /** The database, without password. */
  readonly url: string;
  /** How many scenarios have results. */
  readonly count: number;
  readonly affected: readonly AffectedScenario[];
  /** Changed nodes that no stored call visited. */
  readonly unvisited: readonly string[];
}

/** Risks, the highest first. */
const RISKS: readonly ChangeRisk[] = ["high", "medium", "low"];

/** `7 changes: 2 high risk, 3 medium, 2 low`. */
export function riskCounts(changes: readonly GraphChange[]): string {
  const counts = RISKS.map((risk) => ({ risk, count: changes.filter((change) => change.risk === risk).length }))
    .filter(({ count }) => count > 0)
    .map(({ risk, count }, index) => `${count} ${risk}${index === 0 ? " risk" : ""}`);
  return `${changes.length} change${changes.length === 1 ? "" : "s"}: ${counts.join(", ")}`;
}

/** The changes by the node that they belong to, in their order; `undefined` for the agent's. */
export function changesByNode(
  changes: readonly GraphChange[],
): ReadonlyMap<string | undefined, readonly GraphChange[]> {
  const groups = new Map<string | undefined, GraphChange[]>();
  for (const change of changes) {
    const group = groups.get(change.node);
    if (group) group.push(change);
    else groups.set(change.node, [change]);
  }
  return groups;
}

/** A part of a word comparison, as it is shown. */
export interface ShownPart {
  readonly change: "same" | "added" | "removed";
  readonly text: string;
}

/** Length of unchanged text to show beside a change, in characters. */
const AROUND = 60;

/** The parts of a word comparison, with long unchanged parts shortened. */
export function withoutLongSame(parts: readonly ShownPart[], around = AROUND): readonly ShownPart[] {
  return parts.map((part, index) => {
    if (part.change !== "same" || part.text.length <= 2 * around + 1) return part;
    const head = index === 0 ? "" : part.text.slice(0, around).replace(/\S*$/, "");
    const tail = index === parts.length - 1 ? "" : part.text.slice(-around).replace(/^\S*/, "");
    return { change: "same", text: `${head}…${tail}` };
  });
}
