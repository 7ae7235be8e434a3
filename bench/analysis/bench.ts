import type { Figure } from "../figure.ts";
import { checkFigures } from "./check.ts";
import { diffFigures } from "./diff.ts";
import { policyFigures } from "./policies.ts";

/** How the time of graph analysis grows with the size of the graph. */
export async function bench(): Promise<readonly Figure[]> {
  return [...checkFigures(), ...diffFigures(), ...policyFigures()];
}
