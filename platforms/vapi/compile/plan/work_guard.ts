import type { AgentNode } from "../../../../src/graph/mod.ts";
import type { Guard } from "../../../lower/mod.ts";
import type { Markers } from "./markers.ts";
import { cameTo, isTracked, toolOfNode } from "./outcomes.ts";

/** What must hold before a call goes on behind an extract or function node: its tool has run. */
export function workGuard(node: AgentNode, markers: Markers): Guard | undefined {
  const tool = toolOfNode(node);
  if (isTracked(tool)) return cameTo(node, tool, markers);
  const isExtract = node.node_type === "extract" && node.variables_to_extract.length > 0;
  return isExtract ? { kind: "is", variable: markers.extracted(node.id), value: "true" } : undefined;
}
