import { getAt, isRecord, type JsonObject, recordAt, records, recordsAt } from "../../../src/base/values/mod.ts";
import type { AgentGraph } from "../../../src/document/graph/mod.ts";
import { findingsOf } from "../../findings.ts";
import type { Finding, Report } from "../../platform.ts";
import { isText, openAssistant } from "../shared/mod.ts";

/**
 * Checks an emitted assistant for parts that Telnyx rejects. Paths are paths in the assistant, with a node's id instead
 * of its index.
 */
export function checkTelnyx(_graph: AgentGraph, config: unknown): readonly Finding[] {
  const { body = {} } = openAssistant(config) ?? {};
  return findingsOf((report) => {
    if (!isText(body.name) || body.name === "")
      report("missing-field", ["name"], 'An assistant needs a "name"', 'Set "name"');
    for (const [index, tool] of records(body.tools).entries()) checkTool(tool, ["tools", index], report);
    const flow = recordAt(body, "conversation_flow");
    const edges = records(flow.edges);
    for (const node of records(flow.nodes)) checkNode(node, edges, report);
    const ids = edges.map(({ id }) => id);
    for (const [index, id] of ids.entries())
      if (ids.indexOf(id) !== index)
        report(
          "doubled-edge",
          ["edges", index, "id"],
          `Two edges have the id "${String(id)}"`,
          "Give each edge a unique id",
        );
  });
}

function checkNode(node: JsonObject, edges: readonly JsonObject[], report: Report): void {
  const path = ["nodes", String(node.id)];
  const mine = edges.filter((edge) => edge.start_node_id === node.id);
  const defaults = mine.filter((edge) => getAt(edge, ["condition", "type"]) === "default");
  const moves = node.type === "tool" || node.type === "speak";
  if (moves && mine.length > 0 && defaults.length !== 1) {
    const message = `A ${String(node.type)} node with edges needs one default edge, and this one has ${defaults.length}`;
    report("default-edge", path, message, "Let one edge have the condition default");
  }
  if (!moves && defaults.length > 0)
    report("default-edge", path, "Only tool and speak nodes have a default edge", "Use an expression that is true");
  if (node.type === "tool" && !isText(node.shared_tool_id))
    report("missing-tool", path, "A tool node needs a shared tool", 'Set "shared_tool_id"');
  const tools = [...records(node.tools), ...(isRecord(node.tool) ? [node.tool] : [])];
  for (const [index, tool] of tools.entries()) checkTool(tool, [...path, "tools", index], report);
}

function checkTool(tool: JsonObject, path: readonly (string | number)[], report: Report): void {
  const type = String(tool.type);
  const body = recordAt(tool, type);
  if (!isRecord(tool[type])) {
    if (type !== "shared")
      report("tool-shape", path, `A ${type} tool has its settings under "${type}"`, `Put them there`, "warning");
    return;
  }
  if (type === "webhook" && (!isText(body.url) || body.url === ""))
    report("tool-url", [...path, "url"], "A webhook needs a URL", 'Set "url"');
  if (type === "transfer" && Array.isArray(body.targets) && recordsAt(body, ["targets"]).length === 0)
    report("missing-destination", [...path, "targets"], "A transfer needs a target", "Set `to` of the transfer node");
}
