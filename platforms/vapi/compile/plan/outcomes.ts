import type { AgentNode, ToolDefinition, Transition } from "../../../../src/graph/mod.ts";
import { isToolKind } from "../../api/mod.ts";
import { rawOf } from "../common/mod.ts";
import { terminalKind } from "./terminals.ts";

/**
 * How a squad learns the outcome of a tool. `request`: a code tool makes the request itself and answers with the outcome.
 * `noted`: Vapi sets a variable when the tool has answered, and the model calls another tool when it has failed.
 * `told`: the tool is kept in the organisation, so that the model has to judge. `ends`: the tool ends the call.
 */
export type OutcomeSource = "request" | "noted" | "told" | "ends";

/** Returns how the outcome of a tool gets into the variables of a call. */
export function outcomeSource(tool: ToolDefinition): OutcomeSource {
  const raw = rawOf(tool);
  if (typeof raw.toolId === "string") return "told";
  if (terminalKind(tool)) return "ends";
  if (isToolKind(raw.type))
    return raw.type === "apiRequest" || raw.type === "function" || raw.type === "code" ? "noted" : "told";
  if (tool.type === "dtmf" || tool.type === "press_digit") return "told";
  return tool.url ? "request" : "noted";
}

/** The tool that a function node runs. */
export function toolOfNode(node: AgentNode): ToolDefinition | undefined {
  return node.node_type === "function" ? node.tools[0] : undefined;
}

/** Whether a variable holds the outcome of a tool. */
export function isTracked(tool: ToolDefinition | undefined): tool is ToolDefinition {
  const source = tool && outcomeSource(tool);
  return source === "request" || source === "noted";
}

/** The tools whose outcome a `tool_call` transition waits for. */
export function awaitedTools(node: AgentNode, transition: Transition): readonly ToolDefinition[] {
  const { value } = transition.condition;
  if (node.node_type === "function") return node.tools.slice(0, 1);
  return value === "" ? node.tools : node.tools.filter(({ name }) => name === value);
}

/** A `tool_call` transition in words: the tools and their outcome. */
export function outcomeWords(node: AgentNode, transition: Transition): string {
  const names = awaitedTools(node, transition).map(({ name }) => name);
  return `${names.join(" or ") || "the tool"} ${transition.condition.outcome ?? "was called"}`;
}
