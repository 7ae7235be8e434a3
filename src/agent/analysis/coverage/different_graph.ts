import { GraphError } from "../../../base/errors.ts";

/** The error for results of another version of a graph. */
export function differentGraph(action: string): GraphError {
  return new GraphError(`${action}: the results are of another version of the graph`, {
    code: "different-graph",
    hint: "Pass results of runs of this graph, or set byId to match them by the ids of nodes",
  });
}
