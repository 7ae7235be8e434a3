import { own } from "../../../base/values/mod.ts";
import { expandPrompt, startVariables } from "../../../document/expressions/mod.ts";
import { type AgentGraph, type AgentNode, holdsAnyway } from "../../../document/graph/mod.ts";
import type { EndReason } from "../../../document/transcript/mod.ts";
import { knownVariables } from "../facts/mod.ts";
import type { CallPath, PathStep } from "../paths/mod.ts";
import { type CallerFacts, conditionsTo, type KnownVariable, ownConditions } from "./persona.ts";

/** A moment under construction. */
interface OpenMoment {
  readonly agentIsTold: string;
  readonly conditions: string[];
  readonly others: string[];
  readonly facts: KnownVariable[];
}

/**
 * Collects what a caller has to know and do so that a call takes a path.
 *
 * @param ends How the call ends; absent: the caller hangs up.
 */
export function callerFacts(graph: AgentGraph, path: CallPath, ends: EndReason | undefined | null): CallerFacts {
  const declared = knownVariables(graph);
  const fact = (name: string, value: string | null): KnownVariable => ({
    name,
    meaning: own(path.variables, name) === undefined ? (declared.get(name)?.description ?? "") : "",
    value,
  });
  const variables = startVariables(graph, path.variables);
  const moments: OpenMoment[] = [];
  const expanded = (text: string) =>
    expandPrompt(text, { snippets: graph.snippets, variables: Object.fromEntries(variables) });
  for (const step of path.steps) {
    const node = own(graph.nodes, "node" in step ? step.node : step.from);
    const moment = moments.at(-1); // absent until the caller has spoken: nothing that they say decides the opening
    if (step.kind === "hear") {
      moments.push({ agentIsTold: expanded(node?.state_prompt ?? ""), conditions: [], others: [], facts: [] });
    } else if (step.kind === "decide" && node) decide(graph, node, step, moment, expanded);
    else if (step.kind === "extract") {
      for (const [name, value] of Object.entries(step.values)) {
        moment?.facts.push(fact(name, value));
        if (value !== null) variables.set(name, value);
      }
    } else if (step.kind === "tool") {
      for (const [name, value] of Object.entries(step.variables)) variables.set(name, value);
    }
  }
  return {
    // the name of a flow in code may be that of a file, which no caller knows
    agent: graph.source_metadata.name || "the agent",
    given: Object.entries(path.variables).map(([name, value]) => fact(name, value)),
    moments,
    agentEnds: ends !== undefined && ends !== null && ends !== "caller_ended",
  };
}

function decide(
  graph: AgentGraph,
  node: AgentNode,
  { target, objectivesComplete }: Extract<PathStep, { kind: "decide" }>,
  moment: OpenMoment | undefined,
  expanded: (text: string) => string,
): void {
  const [condition] = target === undefined ? [] : conditionsTo(graph, node, target);
  const asked = (conditions: readonly string[]) => conditions.filter((each) => !holdsAnyway(each)).map(expanded);
  if (condition !== undefined) moment?.conditions.push(...asked([condition]));
  else if (objectivesComplete) moment?.others.push(...asked(ownConditions(node)));
}
