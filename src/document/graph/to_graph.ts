import { GraphError, throwIssues } from "../../base/errors.ts";
import { COMPILE_FIRST, isFlow, isRecord, isRecords, type JsonObject, own, shown } from "../../base/values/mod.ts";
import { parseGraph, referenceIssues } from "./parse.ts";
import type { AgentGraph } from "./types.ts";

/**
 * Validates a graph argument of any type. Parses a document with missing keys.
 *
 * A complete graph is returned as it is, after checking only its shape.
 *
 * @param action Start of the message: "Cannot run scenarios".
 * @throws {GraphError} `not-a-graph` for other values, such as a flow that is not compiled; for a document with errors,
 *   those of `parseGraph`.
 */
export function toGraph(value: unknown, action: string): AgentGraph {
  if (isGraph(value)) return value;
  if (!isFlow(value) && isRecord(value) && isRecord(value.nodes)) return parseGraph(value);
  throw new GraphError(`${action}: the graph is ${shown(value)}`, {
    code: "not-a-graph",
    hint: isFlow(value) ? COMPILE_FIRST : "Pass a compiled flow, or the graph of parseGraph() or importAgent()",
  });
}

/**
 * Checks that the entry node exists.
 *
 * @param action Start of the message: "Cannot start a call".
 * @throws {GraphError} `unknown-entry`.
 */
export function checkEntry(graph: AgentGraph, action: string): void {
  if (own(graph.nodes, graph.entry_node_id)) return;
  const issues = referenceIssues(graph).filter(({ code }) => code === "unknown-entry");
  throwIssues(GraphError, action, issues);
}

/** Whether a value has the complete shape of a graph. Checks every node, tool and transition. */
function isGraph(value: unknown): value is AgentGraph {
  return (
    isRecord(value) &&
    isRecord(value.nodes) &&
    hasTexts(value, "entry_node_id", "source_type") &&
    isRecord(value.source_metadata) &&
    isRecord(value.snippets) &&
    Object.values(value.nodes).every(isNode)
  );
}

function isNode(node: unknown): boolean {
  return (
    isRecord(node) &&
    hasTexts(node, "id", "node_type", "state_prompt") &&
    isRecords(node.tools, (tool) => hasTexts(tool, "name", "description")) &&
    isRecords(node.variables_to_extract, (variable) => hasTexts(variable, "name", "description", "type")) &&
    isRecords(node.transitions, (edge) => hasTexts(edge, "target_node_id") && isCondition(edge.condition)) &&
    (!node.global_node_setting || isGlobalSetting(node.global_node_setting)) &&
    isRecord(node.metadata)
  );
}

function isGlobalSetting(setting: unknown): boolean {
  if (!isRecord(setting) || !hasTexts(setting, "condition")) return false;
  return isRecords(setting.go_back_conditions, (back) => hasTexts(back, "id") && isCondition(back.condition));
}

function isCondition(condition: unknown): boolean {
  if (!isRecord(condition) || !hasTexts(condition, "type", "value")) return false;
  return isRecords(condition.equations ?? [], (clause) => hasTexts(clause, "left", "operator"));
}

function hasTexts(record: JsonObject, ...keys: readonly string[]): boolean {
  return keys.every((key) => typeof record[key] === "string");
}
