import { own } from "../../../base/values/mod.ts";
import { equationText } from "../../../document/expressions/mod.ts";
import type { AgentGraph, Transition, TransitionCondition } from "../../../document/graph/mod.ts";
import type { Message } from "../../../document/transcript/mod.ts";

/** Number of silent replies in a row that count as dead air. */
const SILENT_ANSWERS = 2;

/** Counts the agent's silent replies in a row. */
export interface SilenceWatch {
  /**
   * @param turn Messages that the turn added, and the current node.
   * @returns A description of the dead air after too many silent replies in a row, else `undefined`.
   */
  readonly answered: (turn: AnsweredTurn) => string | undefined;
}

/** The agent's reply to one message of the caller. */
export interface AnsweredTurn {
  readonly messages: readonly Message[];
  readonly nodeId: string;
  readonly variables: { readonly [name: string]: string };
}

/** Creates a watch for dead air: an agent that stays silent twice in a row when the caller speaks. */
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

/** Describes what must happen before the call leaves a node. */
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
  return equationText(condition, variables);
}
