import type { FailureFact } from "../types.ts";

/** Creates a fact; missing fields are empty. */
export function factOf(
  kind: FailureFact["kind"],
  fact: string,
  names: Partial<Omit<FailureFact, "kind" | "fact">> = {},
): FailureFact {
  return { kind, fact, node: "", transition: -1, target: "", name: "", ...names };
}
