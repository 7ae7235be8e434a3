import { type ErrorCode, GraphError } from "../../../base/errors.ts";
import { didYouMean, own, shown } from "../../../base/values/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";

/** The error of an edit that cannot be made. */
export function refusedEdit(action: string, code: ErrorCode, state: string, hint: string): GraphError {
  return new GraphError(`Cannot ${action}: ${state}`, { code, hint });
}

/** @throws {GraphError} `unknown-node`. */
export function checkNode(graph: AgentGraph, id: string, action: string): void {
  if (typeof id === "string" && own(graph.nodes, id)) return;
  const hint =
    typeof id === "string" ? didYouMean(id, Object.keys(graph.nodes), "Name a node of the graph") : "Pass an id";
  throw refusedEdit(action, "unknown-node", `there is no node ${shown(id)}`, hint);
}

/** @throws {GraphError} `duplicate-node`, `invalid-option`. */
export function checkNewNode(graph: AgentGraph, id: string, action: string): void {
  requireTexts(action, id);
  if (own(graph.nodes, id)) throw refusedEdit(action, "duplicate-node", `there is a node "${id}"`, "Choose another id");
}

/** @throws {GraphError} `invalid-option` for names and texts that are missing or empty. */
export function requireTexts(action: string, ...texts: readonly unknown[]): void {
  const wrong = texts.filter((text) => typeof text !== "string" || text.trim() === "");
  if (wrong.length === 0) return;
  throw refusedEdit(
    action,
    "invalid-option",
    `a name or a text is ${shown(wrong[0])}`,
    "Pass a text that is not empty",
  );
}

/** The error of an edit whose text occurs nowhere. */
export function unknownText(action: string): GraphError {
  return refusedEdit(action, "unknown-text", "no prompt has the text", "Copy the text from a prompt");
}
