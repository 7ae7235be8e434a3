import type { Path } from "../../../src/errors.ts";
import type { AgentGraph, AgentNode } from "../../../src/graph/mod.ts";
import { Names, slug } from "../../../src/values/mod.ts";

/** Longest name that Retell accepts for states and tools. */
export const NAME_LIMIT = 64;

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Whether Retell accepts a name for a tool or a state. */
export function isRetellName(name: unknown): name is string {
  return typeof name === "string" && NAME.test(name);
}

/** Converts a name to one that Retell accepts for states and tools: at most 64 letters, digits, `_` and `-`. */
export function retellName(name: string, fallback = "state"): string {
  return isRetellName(name) ? name : slug(name).slice(0, NAME_LIMIT) || fallback;
}

/**
 * Renames the tools that Retell refuses, and what refers to them. Tools of one name stay tools of one name.
 *
 * @param onRename Called for each renamed tool.
 */
export function renameTools(
  graph: AgentGraph,
  onRename: (path: Path, message: string, instead: string) => void,
): AgentGraph {
  const given = new Set(Object.values(graph.nodes).flatMap(({ tools }) => tools.map(({ name }) => name)));
  const refused = [...given].filter((name) => !NAME.test(name));
  if (refused.length === 0) return graph;
  const fitting = [...given].filter((name) => NAME.test(name));
  const taken = new Names(fitting);
  const names = new Map(refused.map((name) => [name, taken.take(retellName(name, "tool"), NAME_LIMIT)]));
  const renamed = (name: string) => names.get(name) ?? name;
  const renameIn = (node: AgentNode): AgentNode => ({
    ...node,
    tools: node.tools.map((tool, index) => {
      const name = renamed(tool.name);
      const path = ["nodes", node.id, "tools", index, "name"];
      if (name !== tool.name) onRename(path, `Retell does not accept the tool name "${tool.name}"`, `"${name}"`);
      return { ...tool, name };
    }),
    transitions: node.transitions.map((transition) => {
      const { condition } = transition;
      return condition.type === "tool_call"
        ? { ...transition, condition: { ...condition, value: renamed(condition.value) } }
        : transition;
    }),
  });
  return { ...graph, nodes: Object.fromEntries(Object.entries(graph.nodes).map(([id, node]) => [id, renameIn(node)])) };
}
