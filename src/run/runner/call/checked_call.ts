import { knownVariables, typedValue } from "../../../agent/analysis/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import type { CallVariables, CheckFunction } from "../../../document/scenario/mod.ts";
import type { EngineCall } from "./run_call.ts";

/**
 * Converts a finished call to the form that custom checks receive. Variables have the types that the graph declares.
 */
export function checkedCall(scenario: string, call: EngineCall, graph: AgentGraph): Parameters<CheckFunction>[0] {
  const { transcript, nodesVisited, toolsCalled, turnCount, endReason, endDetail } = call;
  const variables = typedVariables(graph, call.variables);
  return { scenario, transcript, nodesVisited, toolsCalled, variables, turnCount, endReason, endDetail };
}

function typedVariables(graph: AgentGraph, variables: EngineCall["variables"]): CallVariables {
  const known = knownVariables(graph);
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, text]) => {
      const value = typedValue(known.get(name), text);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/**
 * Converts result variables to the numbers and booleans that the graph declares. A text that cannot be converted stays
 * a text.
 */
export function resultVariables(graph: AgentGraph, variables: EngineCall["variables"]): CallVariables {
  return { ...variables, ...typedVariables(graph, variables) };
}
