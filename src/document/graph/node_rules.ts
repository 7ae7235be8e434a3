import { isRecord } from "../../base/values/mod.ts";
import type { AgentGraph, AgentNode, ToolDefinition, Transition, TransitionCondition } from "./types.ts";

/*
 * What nodes do and where they lead, independent of variables and model answers. A conversation follows these rules
 * with the answers it gets, an estimate with all possible answers.
 */

/** Maximum number of transitions in a turn; one more ends the call. */
export const MOST_HOPS = 20;

/** Who starts the call: the caller, or the agent with a begin message or its entry node's prompt. */
export function openingOf({
  source_metadata: { start_speaker, begin_message },
}: AgentGraph): "caller" | "begin" | "node" {
  if (start_speaker === "user") return "caller";
  return typeof begin_message === "string" ? "begin" : "node";
}

/** Whether a node speaks its prompt verbatim the first time after each entry. */
export function isStatic({ instruction_type: type }: AgentNode): boolean {
  return type === "static_text";
}

/** Whether a node that ends the call says something first. */
export function speaks({ state_prompt: prompt }: AgentNode): boolean {
  return prompt.trim() !== "";
}

/** Whether a node ends the call or hands it over. */
export function isTerminal({ node_type: type }: Pick<AgentNode, "node_type">): boolean {
  return type === "end" || type === "transfer";
}

/** Whether a call passes a node without saying anything to the caller. */
export function isSilent(node: Pick<AgentNode, "node_type">): boolean {
  return node.node_type !== "conversation" && !isTerminal(node);
}

/** Whether a node ends the call without saying anything. */
export function isOverAtOnce(node: AgentNode): boolean {
  return isTerminal(node) && !speaks(node);
}

/** Whether a fused reply may be used for this node. A silent node says nothing and leads to another one. */
export function canSpeakNext(node: AgentNode): boolean {
  return node.node_type === "conversation" || isTerminal(node);
}

/** Whether one request may decide and write the reply. Not if a node that may speak next has tools. */
export function canFuse(candidates: readonly AgentNode[]): boolean {
  return candidates.every(({ node_type: type, tools }) => type === "function" || tools.length === 0);
}

/** The model call that a silent node needs; `undefined` when it needs none. */
export function workQuestion(node: AgentNode): "extract" | "arguments" | undefined {
  if (node.node_type === "extract") return node.variables_to_extract.length > 0 ? "extract" : undefined;
  const [tool] = node.node_type === "function" ? node.tools : [];
  return tool && takesArguments(tool) ? "arguments" : undefined;
}

/** Whether a model has to fill in a tool's arguments. */
function takesArguments({ parameters }: ToolDefinition): boolean {
  if (isRecord(parameters?.properties) && Object.keys(parameters.properties).length > 0) return true;
  return ["anyOf", "oneOf", "allOf", "$ref"].some((keyword) => parameters?.[keyword] !== undefined);
}

/** Returns the end reason of a tool that ends the call; `undefined` for every other tool. */
export function endingOf({ type }: Pick<ToolDefinition, "type">): "agent_ended" | "agent_transferred" | undefined {
  if (type === "end_call") return "agent_ended";
  return type === "transfer_call" ? "agent_transferred" : undefined;
}

/** The transitions that a node has at one point of a call. */
export interface Ways {
  /** Taken without a model call, first match: equations and, after a tool call, its outcome. */
  readonly withoutModel: readonly Transition[];
  /** Offered to the model, which may pick one of them: LLM conditions. */
  readonly offered: readonly Transition[];
  /** Taken when no other transition is. */
  readonly otherwise: Transition | undefined;
}

/** After a conversation node has spoken: by the outcome of a tool that the reply called, else an `always` one. */
export function waysAfterSpeech({ transitions }: AgentNode): Ways {
  const otherwise = transitions.find((transition) => isAlways(transition) && transition.timing !== "else");
  return { withoutModel: transitions.filter(isOnTool), offered: [], otherwise };
}

/** After the caller has spoken at a conversation node. Global nodes and go-backs are offered in addition. */
export function waysAfterHearing({ transitions }: AgentNode): Ways {
  const otherwise = transitions.find((transition) => isAlways(transition) && transition.timing === "else");
  return { withoutModel: transitions.filter(isEquation), offered: transitions.filter(isOffered), otherwise };
}

/** After a silent node has extracted variables or called its tool. */
export function waysAfterWork({ transitions }: AgentNode): Ways {
  return {
    withoutModel: transitions.filter((transition) => isEquation(transition) || isOnTool(transition)),
    offered: transitions.filter(isOffered),
    otherwise: transitions.find(isAlways),
  };
}

type Outcome = "succeeded" | "failed";

/** Whether a tool or a transfer has the outcome that a condition or a policy requires; without one, both match. */
export function hasOutcome({ outcome: wanted }: { readonly outcome?: Outcome | null }, outcome: Outcome): boolean {
  return (wanted ?? outcome) === outcome;
}

/** Whether a `tool_call` condition is true after a reply has called a tool. One without a name matches every tool. */
export function isOnCall(
  condition: TransitionCondition,
  { name, outcome }: { readonly name: string; readonly outcome: Outcome },
): boolean {
  return (condition.value === "" || condition.value === name) && hasOutcome(condition, outcome);
}

/** The transition to take when a transfer fails. */
export function wayAfterFailedTransfer({ transitions }: AgentNode): Transition | undefined {
  return transitions.find((transition) => isOnTool(transition) && hasOutcome(transition.condition, "failed"));
}

/** Whether the turn continues at the target of a transition taken after speech, instead of waiting for the caller. */
export function goesOnAtOnce({ timing }: Transition, target: AgentNode): boolean {
  return timing === "skip_response" || isOverAtOnce(target);
}

/** The go-back conditions of a global node, by type. */
export function waysBack({ global_node_setting: setting }: AgentNode) {
  const backs = setting?.go_back_conditions ?? [];
  return { withoutModel: backs.filter(isEquation), offered: backs.filter(isOffered) };
}

type Way = Pick<Transition, "condition">;
const isEquation = ({ condition }: Way) => condition.type === "equation";
const isOnTool = ({ condition }: Way) => condition.type === "tool_call";
const isOffered = ({ condition }: Way) => condition.type === "llm_prompt";
const isAlways = ({ condition }: Way) => condition.type === "always";

const ANYWAY =
  /^\W*(?:(?:always|unconditional(?:ly)?|in (?:any|all|every) cases?|immediately|immer|toujours|siempre)(?: (?:transfer|go|move|continue|proceed|route|end|transition|true)\b.*)?|true|else|otherwise|default|anything(?: else)?|sonst|sinon|describe the condition\b.*)\W*$/is;

/** Whether the text of a condition asks for nothing: "Always", "Otherwise", or the text that dashboards fill in. */
export function holdsAnyway(condition: string): boolean {
  return condition.trim() === "" || ANYWAY.test(condition);
}
