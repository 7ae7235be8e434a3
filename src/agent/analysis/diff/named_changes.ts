import { type AgentGraph, nodeNames } from "../../../document/graph/mod.ts";
import type { GraphChange } from "./change.ts";

/** Changes whose sentences have the names of nodes in a platform's dashboard, in place of their ids. */
export function namedChanges(
  changes: readonly GraphChange[],
  before: AgentGraph,
  after: AgentGraph,
): readonly GraphChange[] {
  const [earlier, later] = [nodeNames(before), nodeNames(after)];
  return changes.map((change) => ({ ...change, message: later.inText(earlier.inText(change.message)) }));
}
