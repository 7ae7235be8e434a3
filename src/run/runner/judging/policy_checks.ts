import {
  BROKEN,
  type CallPosition,
  isAny,
  NOTED,
  ruleText,
  ruleWatch,
  searchFrom,
} from "../../../agent/analysis/mod.ts";
import { equationHolds } from "../../../document/expressions/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import type { Policy, PolicyRule } from "../../../document/scenario/mod.ts";
import type { CheckResult } from "../../../document/transcript/mod.ts";
import { followTrace, type TracedCall } from "./policy_trace.ts";

/** Checks policies against a call, by the same rules that `checkPolicies()` decides on the graph. */
export function checkCallPolicies(
  graph: AgentGraph,
  policies: readonly Policy[],
  call: TracedCall,
): readonly CheckResult[] {
  return policies.map(({ name, rules }): CheckResult => {
    const breach = rules.map((rule) => breachOf(graph, rule, call)).find((reason) => reason !== undefined);
    return { kind: "policy", expected: name, passed: breach === undefined, reason: breach ?? "no rule is broken" };
  });
}

/** Why a call breaks a rule. */
export function breachOf(graph: AgentGraph, rule: PolicyRule, call: TracedCall): string | undefined {
  const { start, next, ahead } = ruleWatch(graph, rule);
  let state = start;
  let breach: string | undefined;
  let last: CallPosition | undefined;
  const visited: string[] = [];
  followTrace(graph, call, {
    onEvent: (event, variables) => {
      if (event.kind === "enter") visited.push(event.node);
      const values = Object.fromEntries(variables);
      state = next(state, event, (condition) => equationHolds(condition, values));
      if (state === BROKEN) breach ??= `${ruleText(rule)}: broken on ${visited.join(" -> ")}`;
    },
    onWait: (position) => {
      last = state === NOTED ? position : undefined;
    },
  });
  if (breach !== undefined || !ahead || !last) return breach;
  // if the goal is unreachable at one moment, it stays unreachable, so checking the last moment is enough
  const answer = searchFrom(graph, last, (event) => isAny(ahead, event));
  if (answer.kind !== "none") return undefined;
  return `${ruleText(rule)}: no way there from "${last.node}", on ${visited.join(" -> ")}`;
}
