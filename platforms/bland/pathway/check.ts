import { isRecord, jsonOrText, recordAt, records } from "../../../src/base/values/mod.ts";
import type { AgentGraph, Finding } from "../../../src/document/graph/mod.ts";
import { findingsOf } from "../../findings.ts";
import { isTransferType, listOf } from "../traits/mod.ts";
import { edgesBySource } from "./edges.ts";
import { nodesIn } from "./read_node.ts";

const EXAMPLES = ["pathwayExamples", "conditionExamples", "dialogueExamples"];
/** Keys of examples: the conversation before, as a text, a list, or a text with such a list; and the label of an edge. */
const [HISTORY, CHOSEN] = ["Conversation History", "Chosen Pathway"] as const;
const LABEL = "Change the example or the label";

/** Returns what would fail a caller at Bland, or can never happen. */
export function checkPathway(graph: AgentGraph, config: unknown): readonly Finding[] {
  const { nodes: entries, edges } = isRecord(config) ? config : {};
  const nodes = nodesIn(listOf(entries));
  const { found } = edgesBySource(edges, new Set(nodes.map(({ id }) => id)));
  return findingsOf((report) => {
    for (const { id, type, data } of nodes) {
      const path = Object.hasOwn(graph.nodes, id) ? ["nodes", id] : ["nodes"];
      const labels = (found.get(id) ?? []).map(({ raw }) => String(recordAt(raw, "data").label ?? raw.label ?? ""));
      const none = (key: string) => data[key] === undefined || data[key] === "";
      if (Array.isArray(data.routes) && none("fallbackNodeId") && labels.length === 0)
        report("route-without-fallback", path, `A call fails at "${id}" if no route holds`, "Add a way for all others");
      if (type === "Webhook" && none("url")) report("webhook-url", path, `Webhook "${id}" has no URL`, 'Set "url"');
      if (isTransferType(type) && none("transferNumber"))
        report("transfer-number", path, `Transfer "${id}" has no number`, "Set `to` of the transfer node");
      for (const { [CHOSEN]: chosen = "" } of records(data.pathwayExamples))
        if (chosen !== "" && labels.length > 0 && !labels.includes(String(chosen)))
          report(
            "example-edge",
            path,
            `An example of "${id}" chooses no edge of it: "${String(chosen)}"`,
            LABEL,
            "warning",
          );
      for (const { [HISTORY]: history } of EXAMPLES.flatMap((key) => records(data[key])))
        if (typeof history === "string" && /^\s*\[\s*\{/.test(history) && !Array.isArray(jsonOrText(history)))
          report(
            "example-history",
            path,
            `An example of "${id}" has JSON that cannot be read`,
            "Write a list",
            "warning",
          );
    }
  });
}
