import type { Path } from "../../src/base/errors.ts";
import { Names, own, slug } from "../../src/base/values/mod.ts";
import { mapExpandedTexts } from "../../src/document/expressions/mod.ts";
import type { AgentGraph, ToolDefinition, TransitionCondition } from "../../src/document/graph/mod.ts";

/** A tool with a new name. */
export interface RenamedTool {
  readonly path: Path;
  readonly from: string;
  readonly to: string;
}

/** Names that a target accepts for tools: letters, digits, `_` and `-`. */
export interface ToolNaming {
  /** Returns the longest name of a tool; `undefined` for a tool whose name is not its own, such as that of a server. */
  readonly limitOf: (tool: ToolDefinition) => number | undefined;
  /** Whether a name stays, valid or not. */
  readonly isKept?: (name: string) => boolean;
  /** Whether two tools of a node may have one name. */
  readonly allowsTwins?: boolean;
}

/**
 * Gives every tool a name that the target accepts. Equal names stay equal, unless one node has both; different names
 * stay different. Conditions on a tool's outcome, and quoted names in prompts, get the new name.
 */
export function nameTools(graph: AgentGraph, { limitOf, isKept = () => false, allowsTwins = false }: ToolNaming) {
  const limits = new Map<string, number>();
  for (const tool of Object.values(graph.nodes).flatMap(({ tools }) => tools)) {
    const limit = limitOf(tool);
    if (limit !== undefined) limits.set(tool.name, Math.min(limit, limits.get(tool.name) ?? limit));
  }
  const isValid = (name: string, limit: number) => /^[a-zA-Z0-9_-]+$/.test(name) && name.length <= limit;
  const wrong = [...limits].filter(([name, limit]) => !isKept(name) && !isValid(name, limit));
  const pool = new Names([...limits.keys()], { joint: "_" });
  const names = new Map(wrong.map(([name, limit]) => [name, pool.take(toolSlug(name), limit)]));
  const renamed: RenamedTool[] = [];
  const nodes = Object.entries(graph.nodes).map(([id, node]) => {
    const taken = new Set<string>();
    const tools = node.tools.map((tool, index) => {
      const limit = limitOf(tool);
      if (limit === undefined) return tool;
      const wanted = names.get(tool.name) ?? tool.name;
      const to = taken.has(wanted) && !allowsTwins ? pool.take(wanted, limit) : wanted;
      taken.add(to);
      if (to === tool.name) return tool;
      renamed.push({ path: ["nodes", id, "tools", index], from: tool.name, to });
      return { ...tool, name: to };
    });
    const transitions = node.transitions.map((each) => ({ ...each, condition: inCondition(each.condition) }));
    return [id, { ...node, tools, transitions }] as const;
  });
  if (renamed.length === 0) return { graph, renamed };
  return { graph: inTexts({ ...graph, nodes: Object.fromEntries(nodes) }, names), renamed };

  function inCondition(condition: TransitionCondition): TransitionCondition {
    const to = condition.type === "tool_call" ? names.get(condition.value) : undefined;
    return to === undefined ? condition : { ...condition, value: to };
  }
}

/** Converts a text to a tool's name, without accents; `tool` if nothing is left of it. */
export const toolSlug = (text: string) => slug(text.normalize("NFKD").replace(/\p{M}+/gu, "")) || "tool";

/** Replaces quoted names of tools in what models read. Fixed texts are spoken as they are. */
function inTexts(graph: AgentGraph, names: ReadonlyMap<string, string>): AgentGraph {
  if (names.size === 0) return graph;
  const change = (text: string) =>
    text.replace(/(["'`])([^"'`\n]{1,200})\1/g, (whole, mark: string, name: string) => {
      const to = names.get(name);
      return to === undefined ? whole : `${mark}${to}${mark}`;
    });
  return mapExpandedTexts(graph, (text, [, id, key, last]) => {
    const isSpoken = id === "begin_message" || own(graph.nodes, String(id))?.instruction_type === "static_text";
    return (isSpoken && key !== "tools") || last === "url" ? text : change(text);
  });
}
