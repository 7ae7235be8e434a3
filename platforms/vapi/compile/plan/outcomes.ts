import type { AgentNode, ToolDefinition, Transition } from "../../../../src/graph/mod.ts";
import { isRecord } from "../../../../src/values/mod.ts";
import { ALWAYS, any, type Guard } from "../../../lower/mod.ts";
import { isToolKind } from "../../api/mod.ts";
import type { Markers } from "./markers.ts";
import { terminalKind } from "./own_terminals.ts";

/**
 * How a squad learns what a tool came to. `request`: a code tool makes the request itself and answers with the outcome.
 * `noted`: Vapi sets a variable when the tool has answered, and the model calls another tool when it has failed.
 * `told`: the tool lives in the organisation, so that the model has to judge. `ends`: the tool is done with the call.
 */
export type OutcomeSource = "request" | "noted" | "told" | "ends";

/** How a tool's outcome gets into the variables of a call. */
export function outcomeSource(tool: ToolDefinition): OutcomeSource {
  const raw = isRecord(tool.metadata?.vapi) ? tool.metadata.vapi : {};
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

/** Whether a variable says what a tool came to. */
export function isTracked(tool: ToolDefinition | undefined): tool is ToolDefinition {
  const source = tool && outcomeSource(tool);
  return source === "request" || source === "noted";
}

/** That a node's tool was tried, and came to one of these. */
export function cameTo(
  node: AgentNode,
  tool: ToolDefinition,
  markers: Markers,
  outcomes: readonly Outcome[] = ["succeeded", "failed"],
): Guard {
  const variable = markers.answered(node, tool.name);
  return any(outcomes.map((value): Guard => ({ kind: "is", variable, value })));
}

/** What a tool came to, as it is kept in the variables of a call. */
export type Outcome = "succeeded" | "failed";

/** The tools whose outcome a `tool_call` transition waits for. */
export function awaitedTools(node: AgentNode, transition: Transition): readonly ToolDefinition[] {
  const { value } = transition.condition;
  if (node.node_type === "function") return node.tools.slice(0, 1);
  return value === "" ? node.tools : node.tools.filter(({ name }) => name === value);
}

/**
 * When variables let a `tool_call` transition be taken.
 *
 * @returns `undefined` where no variable can say: the model has to judge.
 */
export function outcomeGuard(node: AgentNode, transition: Transition, markers: Markers): Guard | undefined {
  const { outcome } = transition.condition;
  const tools = awaitedTools(node, transition);
  if (node.node_type === "function" && tools.length === 0) return outcome === "succeeded" ? any([]) : ALWAYS;
  if (node.node_type === "function" && !outcome && tools.every((tool) => isTracked(tool))) return ALWAYS;
  if (tools.some((tool) => outcomeSource(tool) === "told")) return undefined;
  return any(tools.filter(isTracked).map((tool) => cameTo(node, tool, markers, outcome ? [outcome] : undefined)));
}

/** A `tool_call` transition in words: what came of which tool. */
export function outcomeWords(
  node: AgentNode,
  transition: Transition,
  nameOf: (tool: ToolDefinition) => string,
): string {
  const names = awaitedTools(node, transition).map(nameOf);
  return `${names.join(" or ") || "the tool"} ${transition.condition.outcome ?? "was called"}`;
}
