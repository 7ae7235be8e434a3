import { own } from "../../base/values/mod.ts";
import type { FailedCallInput } from "../../call/models/mod.ts";
import type { AgentGraph, AgentNode } from "../../document/graph/mod.ts";
import { writtenCondition } from "./facts/mod.ts";
import type { FailedResult, FailureFact, RefusedChange } from "./types.ts";

/** Maximum number of nodes that the model sees; the visited ones come first. */
const MOST_NODES = 80;

/** The input of the diagnosis: the relevant part of the agent, the call, and the facts. */
export function failedCallInput(
  graph: AgentGraph,
  result: FailedResult,
  facts: readonly FailureFact[],
  refused: readonly RefusedChange[],
): FailedCallInput {
  return {
    agent: {
      general_prompt: graph.source_metadata.general_prompt ?? "",
      nodes: concerned(graph, result, facts).map(nodeInput),
      snippets: Object.entries(graph.snippets).map(([name, text]) => ({ name, text })),
    },
    call: {
      scenario: result.scenario,
      end_reason: result.endReason ?? "",
      transcript: result.transcript.map(({ role, content, node_id: node }, index) => ({
        line: index + 1,
        role,
        node,
        content,
      })),
    },
    facts: [...facts],
    problems: [],
    refused_tries: refused.map(({ changes, reason }) => ({ change: JSON.stringify(changes), refused_because: reason })),
  };
}

/** The nodes that a call visited, those that it could have gone to, and those that the facts name. */
function concerned(graph: AgentGraph, { nodesVisited }: FailedResult, facts: readonly FailureFact[]) {
  const ids = new Set([...nodesVisited, ...facts.flatMap(({ node, target }) => [node, target])]);
  for (const id of [...ids])
    for (const { target_node_id: target } of own(graph.nodes, id)?.transitions ?? []) ids.add(target);
  for (const node of Object.values(graph.nodes)) if (node.global_node_setting) ids.add(node.id);
  return [...ids].flatMap((id) => own(graph.nodes, id) ?? []).slice(0, MOST_NODES);
}

function nodeInput(node: AgentNode): FailedCallInput["agent"]["nodes"][number] {
  return {
    id: node.id,
    type: node.node_type,
    prompt: node.state_prompt,
    global_condition: node.global_node_setting?.condition ?? "",
    transitions: node.transitions.map(({ target_node_id: target, condition }, index) => ({
      index,
      target,
      condition: writtenCondition(condition),
      condition_type: condition.type,
    })),
    variables: node.variables_to_extract.map(({ name, description }) => ({ name, description })),
    tools: node.tools.map(({ name, description }) => ({ name, description })),
  };
}
