import { type AgentGraph, nodeNames } from "../../../document/graph/mod.ts";
import type { GraphChange } from "./change.ts";

/** Changes with the names of nodes in a platform's dashboard: as `nodeName`, and in sentences in place of ids. */
export function namedChanges(
  changes: readonly GraphChange[],
  before: AgentGraph,
  after: AgentGraph,
): readonly GraphChange[] {
  const [earlier, later] = [nodeNames(before), nodeNames(after)];
  return changes.map((change) => {
    const { node, message } = change;
    const [one, other] = [earlier, later].map(({ of }) => (node === undefined ? undefined : of(node)));
    const nodeName = other === node ? one : other;
    return {
      ...change,
      ...(nodeName === undefined || nodeName === node ? {} : { nodeName }),
      message: later.inText(earlier.inText(message)),
    };
  });
}
