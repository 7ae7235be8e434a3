import type { AgentNode } from "../../../src/graph/mod.ts";
import type { EmitContext } from "./context.ts";
import { all, type Guard } from "./guard.ts";
import { nodeOf } from "./names.ts";
import { cameTo, isTracked, toolOfNode } from "./outcomes.ts";
import type { Route } from "./plan.ts";

/** A way through extract and function nodes is open only once each of their tools has run. */
export function withWork(route: Route, node: AgentNode, context: EmitContext): Route {
  const { graph, markers } = context;
  const done = [node.id, ...route.through].flatMap((id): readonly Guard[] => {
    const passed = nodeOf(graph, id);
    const tool = passed && toolOfNode(passed);
    if (isTracked(tool)) return [cameTo(tool, markers, "succeeded", "failed")];
    const isExtract = passed?.node_type === "extract" && passed.variables_to_extract.length > 0;
    return isExtract ? [{ kind: "is", variable: markers.extracted(id), value: "true" }] : [];
  });
  return done.length === 0 ? route : { ...route, guard: all([...done, route.guard]) };
}
