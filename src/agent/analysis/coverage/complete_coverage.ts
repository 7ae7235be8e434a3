import type { CoverageKind } from "./targets.ts";
import type { Coverage, CoverageCount, CoverageItem } from "./types.ts";

/** Adds the counts of a coverage. */
export function completeCoverage(measured: Omit<Coverage, "counts">): Coverage {
  const of = (kind: CoverageKind) => countOf(measured.items.filter((item) => item.kind === kind));
  const counts = {
    node: of("node"),
    transition: of("transition"),
    clause: of("clause"),
    global: of("global"),
    "go-back": of("go-back"),
    choice: of("choice"),
    total: countOf(measured.items),
  };
  return { ...measured, counts };
}

function countOf(items: readonly CoverageItem[]): CoverageCount {
  return { covered: items.filter(({ calls }) => calls > 0).length, total: items.length };
}
