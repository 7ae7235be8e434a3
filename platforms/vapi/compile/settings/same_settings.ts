import type { AgentGraph, AgentNode } from "../../../../src/graph/mod.ts";
import { omit, sameJson } from "../../../../src/values/mod.ts";
import { extrasOfNode } from "./extras.ts";

/** Whether one assistant can be what two nodes ask of the platform; one that opens with words of its own cannot. */
export function hasSameSettings(graph: AgentGraph, node: AgentNode, target: AgentNode): boolean {
  const [own, wanted] = [extrasOfNode(graph, node), extrasOfNode(graph, target)];
  return !Object.hasOwn(wanted, "firstMessage") && sameJson(omit(own, OPENING_KEYS), omit(wanted, OPENING_KEYS));
}

const OPENING_KEYS = ["firstMessage", "firstMessageMode"];
