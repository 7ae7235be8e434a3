import type { Path } from "../../../base/errors.ts";
import { didYouMean } from "../../../base/values/mod.ts";
import { type AgentGraph, type Finding, toGraph } from "../../../document/graph/mod.ts";
import {
  type Policy,
  type PolicyPoint,
  type PolicyRule,
  type PolicySource,
  parsePolicies,
} from "../../../document/scenario/mod.ts";
import { knownVariables } from "../facts/mod.ts";
import { visitedNodes } from "../play/mod.ts";
import { checkPolicies } from "./check_policies.ts";
import { ruleText } from "./rule_text.ts";

/**
 * The findings of `check()` for policies: `policy-holds` (info), `policy-broken` with the shortest call that breaks it,
 * and `policy-undecided`. Names that the graph does not have are errors, and such a policy is not decided.
 *
 * @throws {ScenarioError} `invalid-policy`.
 */
export function policyFindings(source: AgentGraph, policies: readonly PolicySource[]): readonly Finding[] {
  const graph = toGraph(source, "Cannot check policies");
  return parsePolicies(policies).flatMap((policy): readonly Finding[] => {
    const unknown = unknownNames(graph, policy);
    if (unknown.length > 0 || !Object.hasOwn(graph.nodes, graph.entry_node_id)) return unknown;
    return checkPolicies(graph, [policy]).map((answer): Finding => {
      const path = ["policies", policy.name];
      if (answer.verdict === "holds") {
        const message = `policy "${policy.name}" holds on every path`;
        return { code: "policy-holds", severity: "info", path, message };
      }
      const rule = ruleText(answer.rule);
      if (answer.verdict === "unknown") {
        const message = `policy "${policy.name}" is not decided (${rule}): ${answer.reason}`;
        const hint = "Split the agent, or compare fewer variables with each other";
        return { code: "policy-undecided", severity: "warning", path, message, hint };
      }
      const nodes = visitedNodes(answer.path);
      return {
        code: "policy-broken",
        severity: "error",
        path,
        message: `policy "${policy.name}" is broken (${rule}): ${nodes.join(" -> ")}`,
        hint: "Change the transitions on this path, or the policy",
        witness: { path: nodes, variables: answer.path.variables },
      };
    });
  });
}

/** Names of a policy that the graph does not have. */
export function unknownNames(graph: AgentGraph, { name, rules }: Policy): readonly Finding[] {
  const nodes = Object.keys(graph.nodes);
  const tools = Object.values(graph.nodes).flatMap((node) => node.tools.map((tool) => tool.name));
  const variables = [...knownVariables(graph).keys()];
  const unknown = (
    what: "node" | "tool" | "variable",
    known: readonly string[],
    given: string,
    at: Path,
  ): Finding[] => {
    if (known.includes(given)) return [];
    const message = `policy "${name}" names ${what} "${given}", which the graph does not have`;
    const hint = didYouMean(given, known, `Name a ${what} of the graph`);
    return [{ code: `unknown-${what}`, severity: "error", path: ["policies", name, ...at], message, hint }];
  };
  return rules.flatMap((rule, index) => [
    ...pointsOf(rule).flatMap((point) => {
      if ("node" in point) return unknown("node", nodes, point.node, ["rules", index]);
      return "tool" in point ? unknown("tool", tools, point.tool, ["rules", index]) : [];
    }),
    ...(rule.verb === "known" ? rule.variables : []).flatMap((each) =>
      unknown("variable", variables, each, ["rules", index]),
    ),
  ]);
}

function pointsOf(rule: PolicyRule): readonly PolicyPoint[] {
  if (rule.verb === "known") return [];
  return "points" in rule ? rule.points : [...rule.first, ...rule.second];
}
