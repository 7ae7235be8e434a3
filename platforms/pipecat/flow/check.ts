import { isRecord, own, records, repeated } from "../../../src/base/values/mod.ts";
import type { AgentGraph, Finding } from "../../../src/document/graph/mod.ts";
import { findingsOf } from "../../findings.ts";
import { missingDestinations } from "../../known/mod.ts";

/** Finds what Pipecat refuses when it loads a flow, in its own words, and nodes that a call cannot leave. */
export function checkFlow(graph: AgentGraph, config: unknown): readonly Finding[] {
  const { nodes } = isRecord(config) ? config : {};
  const globals = isRecord(config) ? records(config.global_functions).map(({ name }) => String(name)) : [];
  const found = findingsOf((report) => {
    for (const name of repeated(globals))
      report(
        "duplicate-function",
        ["global_functions"],
        `duplicate function '${name}' in global_functions`,
        "Rename one",
      );
    for (const [id, node] of Object.entries(isRecord(nodes) ? nodes : {})) {
      const functions = isRecord(node) ? records(node.functions) : [];
      const names = functions.map(({ name }) => String(name));
      const path = ["nodes", id];
      for (const name of repeated(names))
        report("duplicate-function", path, `duplicate function '${name}' in node`, "Rename one of the tools");
      for (const name of names.filter((each) => globals.includes(each)))
        report("duplicate-function", path, `node '${id}' function '${name}' is also a global function`, "Rename one");
      const ends = isRecord(node) && records(node.post_actions).some(({ type }) => type === "end_conversation");
      const moves = functions.some(({ transition_to: to }) => to !== undefined) || globals.length > 0;
      if (!ends && !moves && own(graph.nodes, id)?.node_type !== "transfer")
        report(
          "no-way-out",
          path,
          `"${id}" has no function that leads on, and does not end the call`,
          "Add a transition, or end the call",
          "warning",
        );
    }
  });
  return [...found, ...missingDestinations(graph)];
}
