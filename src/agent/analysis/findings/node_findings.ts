import { sameJson } from "../../../base/values/mod.ts";
import type { AgentGraph, AgentNode, Finding, ToolDefinition } from "../../../document/graph/mod.ts";

/** Findings for what a node lacks for its type, and for tools of one name. */
export function nodeFindings(graph: AgentGraph): Finding[] {
  const nodes = Object.entries(graph.nodes);
  return [
    ...nodes.flatMap(([id, node]) => [...typeFindings(id, node), ...repeatedTools(id, node)]),
    ...conflicts(nodes),
  ];
}

function typeFindings(id: string, node: AgentNode): Finding[] {
  const path = ["nodes", id];
  const found = (severity: Finding["severity"], code: string, state: string, hint: string): Finding[] => [
    { code, severity, path, message: `${node.node_type} node "${id}" ${state}`, hint },
  ];
  const { node_type: type, transitions, tools, variables_to_extract: variables } = node;
  if (type === "function" && tools.length === 0) {
    return found("error", "function-without-tool", "has no tool to call", "Give it a tool");
  }
  if (type === "extract" && variables.length === 0) {
    return found("warning", "nothing-to-extract", "fills no variable", "Name the variables that it fills");
  }
  if (type === "end" && transitions.length > 0) {
    return found("warning", "end-with-edges", "has transitions that no call takes", "Remove them");
  }
  return [];
}

function repeatedTools(id: string, { tools }: AgentNode): Finding[] {
  return tools.flatMap(({ name }, index): Finding[] => {
    if (tools.findIndex((other) => other.name === name) === index) return [];
    const message = `node "${id}" has tool "${name}" twice`;
    const path = ["nodes", id, "tools", index];
    return [{ code: "duplicate-tool", severity: "error", path, message, hint: "Give each tool its own name" }];
  });
}

/** Findings for different tools of one name: mocks and implementations are found by name. */
function conflicts(nodes: readonly (readonly [string, AgentNode])[]): Finding[] {
  const first = new Map<string, ToolDefinition>();
  return nodes.flatMap(([id, { tools }]) =>
    tools.flatMap((tool, index): Finding[] => {
      const known = first.get(tool.name);
      if (!known) first.set(tool.name, tool);
      if (!known || (sameJson(known.parameters ?? null, tool.parameters ?? null) && known.url === tool.url)) return [];
      const message = `tool "${tool.name}" of node "${id}" differs from another tool with the same name`;
      const path = ["nodes", id, "tools", index];
      return [{ code: "conflicting-tools", severity: "warning", path, message, hint: "Give each tool its own name" }];
    }),
  );
}
