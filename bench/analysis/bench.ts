import type { Figure } from "../figure.ts";
import { checkFigures } from "./check.ts";
import { diffFigures } from "./diff.ts";
import { policyFigures } from "./policies.ts";

/** How the analysis of a graph grows with the graph. */
export async function bench(): Promise<readonly Figure[]> {
  return [...checkFigures(), ...diffFigures(), ...policyFigures()];
}
