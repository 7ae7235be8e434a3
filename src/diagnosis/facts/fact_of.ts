import type { FailureFact } from "../types.ts";

/** A fact; what it does not name is empty. */
export function factOf(
  kind: FailureFact["kind"],
  fact: string,
  names: Partial<Omit<FailureFact, "kind" | "fact">> = {},
): FailureFact {
  return { kind, fact, node: "", transition: -1, target: "", name: "", ...names };
}
