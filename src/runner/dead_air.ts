import type { AgentGraph, Transition, TransitionCondition } from "../graph/mod.ts";
import type { Message } from "../transcript/mod.ts";
import { own } from "../values/mod.ts";

/** Silent answers in a row after which a caller would think that the line is dead. */
const SILENT_ANSWERS = 2;

/** Watches how the agent answers the caller. */
export interface SilenceWatch {
  /**
   * @param turn What the answer added to the transcript, and the node that the call is at.
   * @returns What to say of dead air, once the agent has been silent too often in a row.
   */
  readonly answered: (turn: AnsweredTurn) => string | undefined;
}

/** An answer to the caller. */
export interface AnsweredTurn {
  readonly messages: readonly Message[];
  readonly nodeId: string;
  readonly variables: { readonly [name: string]: string };
}

/** Starts to watch a call for dead air: an agent that answers the caller with silence, twice in a row. */
export function watchSilence(graph: AgentGraph): SilenceWatch {
  let silent = 0;
  return {
    answered: ({ messages, nodeId, variables }) => {
      const isHeard = messages.some(({ role, content }) => role === "assistant" && content.trim() !== "");
      silent = isHeard ? 0 : silent + 1;
      if (silent < SILENT_ANSWERS) return undefined;
      const kind = own(graph.nodes, nodeId)?.node_type ?? "unknown";
      return `the agent answered the caller with silence ${SILENT_ANSWERS} times in a row at node "${nodeId}" (${kind}), ${waitsFor(graph, nodeId, variables)}`;
    },
  };
}

/** What must happen for a call to leave a node. */
function waitsFor(graph: AgentGraph, nodeId: string, variables: AnsweredTurn["variables"]): string {
  const { transitions = [], node_type: type } = own(graph.nodes, nodeId) ?? {};
  if (type === "conversation") return "which has nothing to say";
  if (transitions.length === 0) return "which has no transition";
  return `which waits for ${transitions.map((transition) => conditionOf(transition, variables)).join("; or for ")}`;
}

function conditionOf({ condition, target_node_id: target }: Transition, variables: AnsweredTurn["variables"]): string {
  return `${inWords(condition, variables)} (to "${target}")`;
}

function inWords(condition: TransitionCondition, variables: AnsweredTurn["variables"]): string {
  if (condition.type === "llm_prompt") return `"${condition.value}"`;
  if (condition.type === "tool_call")
    return `tool ${condition.value || "call"} ${condition.outcome ?? "to answer"}`.trim();
  if (condition.type === "always") return "nothing";
  const clauses = (condition.equations ?? []).map(({ left, operator, right }) => {
    const value = own(variables, left);
    const now = value === undefined ? "is not set" : `is ${JSON.stringify(value)}`;
    return `${[left, operator, right ?? ""].join(" ").trim()}, where ${left} ${now}`;
  });
  return clauses.join(` ${condition.logical_operator ?? "and"} `) || "an equation that it does not have";
}
