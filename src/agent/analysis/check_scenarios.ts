import type { Path } from "../../base/errors.ts";
import { didYouMean } from "../../base/values/mod.ts";
import { type AgentGraph, type Finding, toGraph } from "../../document/graph/mod.ts";
import { replyRules, requireScenarios, type ScenarioSource, toScenarios } from "../../document/scenario/mod.ts";
import { knownVariables } from "./facts/mod.ts";

/**
 * Finds names in scenarios that the graph does not have, which the compiler reports for `scenario(name, graph)` in
 * code.
 *
 * Errors: `unknown-node` in `visits`, `avoids` and `each_reply`, `unknown-tool` in `calls`, `unknown-variable` in
 * `extracts` and `each_reply`: they
 * always fail, or always pass. Warning: `unknown-tool` in `tool_mocks`, which has no effect. Paths start with the index
 * of the scenario.
 *
 * @throws {GraphError} `not-a-graph`.
 * @throws {ScenarioError} `invalid-scenario`, also for an empty list; `duplicate-scenario`.
 */
export function checkScenarios(source: AgentGraph, scenarios: readonly ScenarioSource[]): Finding[] {
  const graph = toGraph(source, "Cannot check scenarios");
  const nodes = Object.keys(graph.nodes);
  const tools = Object.values(graph.nodes).flatMap((node) => node.tools.map((tool) => tool.name));
  // A transfer is mocked by its node's name.
  const mockable = [...tools, ...nodes.filter((id) => graph.nodes[id]?.node_type === "transfer")];
  const variables = [...knownVariables(graph).keys()];
  const documents = toScenarios(scenarios);
  requireScenarios(documents, "Cannot check scenarios");
  return documents.flatMap((scenario, index) => {
    const look = (known: readonly string[], severity: Finding["severity"], what: "node" | "tool" | "variable") => {
      const names = new Set(known);
      return (name: string, at: Path): Finding[] => {
        if (names.has(name)) return [];
        const message = `scenario "${scenario.name}" names ${what} "${name}", which the graph does not have`;
        const hint = didYouMean(name, known, `Name a ${what} of the graph`);
        return [{ code: `unknown-${what}`, severity, path: [index, ...at], message, hint }];
      };
    };
    const extractable = look([...variables, ...Object.keys(scenario.dynamic_variables)], "error", "variable");
    return [
      ...scenario.visits.flatMap((id, at) => look(nodes, "error", "node")(id, ["visits", at])),
      ...scenario.avoids.flatMap((id, at) => look(nodes, "error", "node")(id, ["avoids", at])),
      ...scenario.calls.flatMap(({ tool }, at) => look(tools, "error", "tool")(tool, ["calls", at, "tool"])),
      ...scenario.tool_mocks.flatMap((mock, at) =>
        look(mockable, "warning", "tool")(mock.tool_name, ["tool_mocks", at, "tool_name"]),
      ),
      ...Object.keys(scenario.extracts).flatMap((name) => extractable(name, ["extracts", name])),
      ...replyRules(scenario).flatMap((rule, at) => [
        ...(typeof rule.node === "string" ? look(nodes, "error", "node")(rule.node, ["each_reply", at, "node"]) : []),
        ...("says_back" in rule ? extractable(rule.says_back, ["each_reply", at, "says_back"]) : []),
      ]),
    ];
  });
}
