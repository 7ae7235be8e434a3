import type { CallPath } from "../../agent/analysis/mod.ts";

/** A path to a transition, with the keys of all transitions that it takes. */
export interface Candidate<Target> {
  readonly target: Target;
  readonly key: string;
  readonly path: CallPath;
  readonly takes: ReadonlySet<string>;
}

/**
 * Selects a small set of paths that takes all wanted transitions: the longest first, skipping those whose transition a
 * selected path takes; then drops paths that the others make redundant.
 *
 * @returns In the order of the candidates.
 */
export function selectPaths<Target>(candidates: readonly Candidate<Target>[]): readonly Candidate<Target>[] {
  const wanted = new Set(candidates.map(({ key }) => key));
  const byLength = [...candidates].sort((a, b) => b.path.steps.length - a.path.steps.length);
  const taken = new Map<string, number>();
  const count = ({ takes }: Candidate<Target>, by: number) => {
    for (const key of takes) if (wanted.has(key)) taken.set(key, (taken.get(key) ?? 0) + by);
  };
  const selected = new Set<Candidate<Target>>();
  for (const candidate of byLength) {
    if (taken.has(candidate.key)) continue;
    selected.add(candidate);
    count(candidate, 1);
  }
  for (const candidate of [...selected].reverse()) {
    const isNeeded = [...candidate.takes].some((key) => taken.get(key) === 1);
    if (isNeeded) continue;
    selected.delete(candidate);
    count(candidate, -1);
  }
  return candidates.filter((candidate) => selected.has(candidate));
}
