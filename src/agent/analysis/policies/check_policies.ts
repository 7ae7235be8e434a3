import { ScenarioError } from "../../../base/errors.ts";
import { type AgentGraph, checkEntry, toGraph } from "../../../document/graph/mod.ts";
import {
  type Policy,
  type PolicyRule,
  type PolicySource,
  parsePolicies,
  type Scenario,
} from "../../../document/scenario/mod.ts";
import { type CallPath, type PathAnswer, searchable, searchFor, searchForTrap } from "../paths/mod.ts";
import { playPath } from "../play/mod.ts";
import { BROKEN, isAny, NOTED, ruleWatch } from "./rule_watch.ts";

/**
 * The decision about a policy: it holds in every call, a shortest call breaks one of its rules, or the search reached
 * its limits.
 */
export type PolicyAnswer =
  | { readonly policy: string; readonly verdict: "holds" }
  | {
      readonly policy: string;
      readonly verdict: "broken";
      /** The rule that is broken. */
      readonly rule: PolicyRule;
      readonly path: CallPath;
      /** A scenario that leads a call there; `playPath(graph, path)` also has a model's answers for it. */
      readonly scenario: Scenario;
    }
  | {
      readonly policy: string;
      readonly verdict: "unknown";
      readonly rule: PolicyRule;
      /** Why the policy is undecided. */
      readonly reason: string;
    };

/**
 * Checks policies on every path of a graph: the model may decide anything, tools may fail, extractions may find
 * nothing.
 *
 * @throws {GraphError} `not-a-graph`, `unknown-entry`.
 * @throws {ScenarioError} `invalid-policy`, also for an empty list.
 */
export function checkPolicies(source: AgentGraph, policies: readonly PolicySource[]): readonly PolicyAnswer[] {
  const graph = toGraph(source, "Cannot check policies");
  const parsed = parsePolicies(policies);
  if (parsed.length === 0)
    throw new ScenarioError("Cannot check policies: there are none", {
      code: "invalid-policy",
      hint: 'Pass at least one: [policy("…", ({ before }) => before("one_node", "another_node"))]',
    });
  checkEntry(graph, "Cannot check policies");
  return parsed.map((policy) => answerFor(graph, policy));
}

function answerFor(graph: AgentGraph, { name: policy, rules }: Policy): PolicyAnswer {
  let open: PolicyAnswer | undefined;
  for (const rule of rules) {
    const answer = ruleAnswer(graph, rule);
    if (answer.kind === "found") {
      const { path } = answer;
      const { scenario } = playPath(graph, path, { name: `breaks: ${policy}` });
      return { policy, verdict: "broken", rule, path, scenario };
    }
    if (answer.kind === "unknown") open ??= { policy, verdict: "unknown", rule, reason: answer.reason };
  }
  return open ?? { policy, verdict: "holds" };
}

function ruleAnswer(graph: AgentGraph, rule: PolicyRule): PathAnswer {
  const { conditions, start, next, ahead } = ruleWatch(graph, rule);
  const prepared = searchable(graph, { conditions });
  const watch = { variables: prepared.variablesIn(conditions), start, next };
  if (!ahead) return searchFor(prepared, watch, (watched) => watched === BROKEN);
  return searchForTrap(prepared, {
    watch,
    isOpen: (watched) => watched === NOTED,
    isGoal: (event) => isAny(ahead, event),
  });
}
