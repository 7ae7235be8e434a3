import type { CoverageItem } from "../../../../src/agent/analysis/mod.ts";

/** An item in the notation of the reference implementation of calls. */
export function noted(item: CoverageItem): string {
  const { kind, node } = item;
  switch (kind) {
    case "transition":
    case "go-back":
      return JSON.stringify([kind, node, item.index]);
    case "clause":
      return JSON.stringify([kind, node, item.of, item.index, item.clause, item.isTrue]);
    case "choice":
      return JSON.stringify([kind, node, item.variable, item.choice]);
    default:
      return JSON.stringify([kind, node]);
  }
}
