import type { Path } from "../../base/errors.ts";
import { type AgentGraph, type AgentNode, isSilent, isTerminal } from "../graph/mod.ts";
import { snippetUses } from "./prompts.ts";

/** Kinds of parts that no call reads. */
export type UnreadCode =
  | "begin-message-unread"
  | "choices-type"
  | "global-unread"
  | "go-back-unread"
  | "prompt-unread"
  | "snippet-unused"
  | "transition-description"
  | "transition-unread"
  | "variables-unread";

/** All kinds of parts that no call reads. */
export const UNREAD_CODES: readonly UnreadCode[] = [
  ...(["begin-message-unread", "choices-type", "global-unread", "go-back-unread", "prompt-unread"] as const),
  ...(["snippet-unused", "transition-description", "transition-unread", "variables-unread"] as const),
];

/** A part of a graph that no call reads. A format that has no place for it reports it as a loss. */
export interface UnreadPart<Code extends UnreadCode = UnreadCode> {
  readonly code: Code;
  readonly path: Path;
  readonly message: string;
  readonly hint: string;
}

type Report = (code: UnreadCode, path: Path, message: string, hint: string) => void;

/**
 * Finds the parts of a graph that no call reads, such as the prompt of a node that says nothing.
 *
 * @param codes Kinds that the format has no place for.
 */
export function unreadParts<Code extends UnreadCode>(graph: AgentGraph, codes: readonly Code[]): UnreadPart<Code>[] {
  const found: UnreadPart<Code>[] = [];
  const report: Report = (code, path, message, hint) => {
    const wanted = codes.find((each) => each === code);
    if (wanted) found.push({ code: wanted, path, message, hint });
  };
  const { begin_message: words, start_speaker: speaker } = graph.source_metadata;
  if (words && speaker === "user") {
    const message = "The caller speaks first, so the begin message is not spoken";
    report("begin-message-unread", ["source_metadata", "begin_message"], message, "Let the agent speak first");
  }
  for (const node of Object.values(graph.nodes)) {
    unreadOfNode(node, report);
    unreadTransitions(node, report);
    unreadGlobal(node, graph, report);
  }
  const used = new Set(snippetUses(graph).flatMap(({ name, path }) => (isUnread(path, found) ? [] : [name])));
  for (const name of Object.keys(graph.snippets).filter((each) => !used.has(each)))
    report("snippet-unused", ["snippets", name], `No text uses the snippet "${name}"`, "Use it, or remove it");
  return found;
}

/** Whether a path leads to an unread part, or into one. */
export function isUnread(path: Path, parts: readonly UnreadPart[]): boolean {
  return parts.some((part) => part.path.every((key, index) => path[index] === key));
}

function unreadOfNode(node: AgentNode, report: Report): void {
  const path = ["nodes", node.id];
  const asks = node.node_type === "extract" && node.variables_to_extract.length > 0;
  if (isSilent(node) && !asks && node.state_prompt !== "") {
    const message = `"${node.id}" says nothing, so its prompt is not used`;
    report("prompt-unread", [...path, "state_prompt"], message, "Move the prompt to a conversation node");
  }
  if (isTerminal(node) && node.variables_to_extract.length > 0) {
    const message = `The call is over at "${node.id}", so it extracts no variables`;
    report("variables-unread", [...path, "variables_to_extract"], message, "Move the variables to an extract node");
  }
  for (const [index, { name, type, choices }] of node.variables_to_extract.entries()) {
    if (!choices?.length || type === "enum" || type === "string") continue;
    const message = `The choices of "${name}" are texts, so it is an enum and not a variable of the type "${type}"`;
    const hint = "Set the type enum, or remove the choices";
    report("choices-type", [...path, "variables_to_extract", index, "type"], message, hint);
  }
}

function unreadTransitions(node: AgentNode, report: Report): void {
  for (const [index, { condition, description }] of node.transitions.entries()) {
    const path = ["nodes", node.id, "transitions", index];
    const isFailure = node.node_type === "transfer" && condition.type === "tool_call";
    if (isTerminal(node) && !isFailure) {
      const message = `The call is over at "${node.id}", so the transition is not taken`;
      report("transition-unread", path, message, "Remove the transition");
    } else if (description?.trim()) {
      const message = "The condition decides whether a transition is taken, so its description is not used";
      report("transition-description", [...path, "description"], message, "Move it to the condition");
    }
  }
}

function unreadGlobal(node: AgentNode, graph: AgentGraph, report: Report): void {
  const { id, global_node_setting: setting } = node;
  if (!setting) return;
  const path = ["nodes", id, "global_node_setting"];
  const isEnd = isTerminal(node);
  const others = Object.values(graph.nodes).filter((other) => other.id !== id && other.node_type === "conversation");
  if (others.length === 0 || (isEnd && id === graph.entry_node_id)) {
    const message = `No call is at another conversation node before "${id}", so the condition of this global node is not used`;
    report("global-unread", path, message, "Add a conversation node, or make the node an ordinary one");
    return;
  }
  for (const [index, { condition }] of setting.go_back_conditions.entries()) {
    const isRead = condition.type === "llm_prompt" || condition.type === "equation";
    if (isRead && !isEnd) continue;
    const message = isEnd
      ? `The call is over at "${id}", so it does not go back`
      : "A go-back condition is an LLM condition or an equation";
    const hint = isEnd ? "Remove the go-back conditions" : "Use an LLM condition";
    report("go-back-unread", [...path, "go_back_conditions", index], message, hint);
  }
}
