import { groupBy } from "../../../base/values/mod.ts";
import type { CoverageKind, NamedTarget } from "./targets.ts";

/** How much of a node or a transition is covered. */
export type CoverageMark = "covered" | "partly" | "uncovered";

/** A coverage, as a picture shows it. */
export interface CoverageMarks {
  readonly about: "coverage";
  readonly nodes: ReadonlyMap<string, CoverageMark>;
  /** By node, the marks of its transitions by their index. */
  readonly transitions: ReadonlyMap<string, ReadonlyMap<number, CoverageMark>>;
  /** By global node, the mark of its entry. */
  readonly entries: ReadonlyMap<string, CoverageMark>;
  /** By node, the marks of its go-back conditions by their index. */
  readonly backs: ReadonlyMap<string, ReadonlyMap<number, CoverageMark>>;
  /** By node, how many calls visited it, and the items of it that they did not cover. */
  readonly notes: ReadonlyMap<string, string>;
}

/**
 * Converts a coverage to marks: a node is covered when everything that belongs to it is, partly covered when it was
 * visited; a transition is covered when it was taken and each of its clauses was seen true and false.
 */
export function coverageMarks({ items }: Coverage): CoverageMarks {
  const byNode = groupBy(items, ({ node }) => node);
  const nodes = new Map<string, CoverageMark>();
  const transitions = new Map<string, ReadonlyMap<number, CoverageMark>>();
  const entries = new Map<string, CoverageMark>();
  const backs = new Map<string, ReadonlyMap<number, CoverageMark>>();
  const notes = new Map<string, string>();
  for (const [id, own] of byNode) {
    const visit = own.find(({ kind }) => kind === "node");
    nodes.set(id, markOf(visit, own));
    const global = own.find(({ kind }) => kind === "global");
    if (global) entries.set(id, markOf(global, []));
    transitions.set(id, marksOf("transition", own));
    backs.set(id, marksOf("go-back", own));
    notes.set(id, noteOf(visit?.calls ?? 0, own));
  }
  return { about: "coverage", nodes, transitions, entries, backs, notes };
}

function marksOf(of: "transition" | "go-back", own: readonly CoverageItem[]): ReadonlyMap<number, CoverageMark> {
  return new Map(
    own.flatMap((item): [number, CoverageMark][] => {
      if (item.kind !== of) return [];
      const clauses = own.filter((each) => each.kind === "clause" && each.of === of && each.index === item.index);
      return [[item.index, markOf(item, clauses)]];
    }),
  );
}

function markOf(item: CoverageItem | undefined, parts: readonly CoverageItem[]): CoverageMark {
  if (!item || item.calls === 0) return "uncovered";
  return parts.every(({ calls }) => calls > 0) ? "covered" : "partly";
}

/** Maximum number of names in a note. */
const MOST_NAMES = 8;

function noteOf(calls: number, own: readonly CoverageItem[]): string {
  const visits = `visited in ${calls} call${calls === 1 ? "" : "s"}`;
  const open = own.filter((item) => item.calls === 0 && item.kind !== "node").map(({ name }) => name);
  if (calls === 0 || open.length === 0) return visits;
  const more = open.length > MOST_NAMES ? [`and ${open.length - MOST_NAMES} more`] : [];
  return [`${visits}; not covered:`, ...open.slice(0, MOST_NAMES), ...more].join("\n");
}

/** A target, and how many calls have exercised it. */
export type CoverageItem = NamedTarget & {
  /** Number of calls; 0: not covered. */
  readonly calls: number;
};

/** Number of items, and of those that are covered. */
export interface CoverageCount {
  readonly covered: number;
  readonly total: number;
}

/** The coverage of a graph by the calls of runs. */
export interface Coverage {
  /** Fingerprint of the graph. Only coverages of the same graph can be merged. */
  readonly graphFingerprint: string;
  /** Number of calls that count. */
  readonly calls: number;
  /** Number of results that do not count, by status: calls that nobody has judged. */
  readonly leftOut: { readonly [status: string]: number };
  /** Everything that calls can exercise, in the order of the document. */
  readonly items: readonly CoverageItem[];
  /** By kind of item, and of all items together. */
  readonly counts: { readonly [Kind in CoverageKind | "total"]: CoverageCount };
}
