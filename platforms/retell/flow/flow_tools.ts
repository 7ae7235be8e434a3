import { canonicalJson, freeName, type JsonObject, records, sameJson } from "../../../src/base/values/mod.ts";
import type { AgentGraph, ToolDefinition } from "../../../src/document/graph/mod.ts";
import { isString } from "../shared/mod.ts";

/** Returns the tools of a flow or component by id. The first tool with an id counts. */
export function toolsById(tools: unknown): ReadonlyMap<unknown, JsonObject> {
  const named = records(tools).filter(({ tool_id: id }) => isString(id));
  return new Map(named.toReversed().map((tool) => [tool.tool_id, tool]));
}

/** Returns the tools that no node calls. All others are part of the nodes that call them. */
export function unusedTools(tools: unknown, nodes: readonly JsonObject[]): { readonly tools?: readonly JsonObject[] } {
  const used = new Set(nodes.flatMap((node) => records(node.tools).map(({ tool_id: id }) => id)));
  const unused = records(tools).filter(({ tool_id: id }) => !isString(id) || !used.has(id));
  return unused.length > 0 ? { tools: unused } : {};
}

/** Collects the tools that nodes refer to. Different tools get different ids. */
export class ToolRegistry {
  readonly #unused: readonly JsonObject[];
  readonly #used = new Map<string, JsonObject>();
  readonly #keepers: ReadonlyMap<unknown, string>;
  readonly #taken: ReadonlySet<unknown>;

  /**
   * @param own Retell's own keys of the flow, including the tools that no node calls.
   * @param imported The graph before any edits.
   */
  constructor(graph: AgentGraph, own: JsonObject, imported?: AgentGraph) {
    this.#unused = records(own.tools);
    this.#keepers = keepers(graph, imported);
    this.#taken = new Set([...this.#unused, ...toolsOf(graph)].map(({ tool_id: id }) => id));
  }

  /**
   * @param written The tool in Retell's JSON.
   * @returns The id of the tool in the flow: the wanted one, unless a different tool has it.
   */
  add(tool: ToolDefinition, written: JsonObject, wanted: string): string {
    const keeper = this.#keepers.get(wanted);
    const keepsId = keeper === undefined || keeper === contentOf(tool);
    const id = freeName(wanted, (name) => {
      const there = this.#used.get(name);
      if (name === wanted && !keepsId) return true;
      return there ? !sameJson(there, { ...written, tool_id: name }) : name !== wanted && this.#taken.has(name);
    });
    this.#used.set(id, { ...written, tool_id: id });
    return id;
  }

  /** Returns the flow's list: the tools that no node calls, then those of the nodes. */
  all(): { readonly tools?: readonly JsonObject[] } {
    const tools = [...this.#unused, ...this.#used.values()];
    return tools.length > 0 ? { tools } : {};
  }
}

/**
 * Returns which of several different tools with the same id keeps the id: the unedited tool if a node still has it,
 * else the most common one. Thus editing a tool at one node does not change it at others.
 */
function keepers(graph: AgentGraph, imported: AgentGraph | undefined): ReadonlyMap<unknown, string> {
  const before = new Set(imported && toolsOf(imported).map(canonicalJson));
  const tools = toolsOf(graph).filter(({ tool_id: id }) => id);
  const counts = new Map<string, number>();
  for (const tool of tools.map(canonicalJson)) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  const rankOf = (tool: string) => (before.has(tool) ? tools.length + 1 : (counts.get(tool) ?? 0));
  const ranked = tools.map((tool) => ({ tool, rank: rankOf(canonicalJson(tool)) })).toSorted((a, b) => b.rank - a.rank);
  return new Map(ranked.toReversed().map(({ tool }) => [tool.tool_id, contentOf(tool)]));
}

function contentOf({ tool_id: _, ...tool }: ToolDefinition): string {
  return canonicalJson(tool);
}

function toolsOf({ nodes }: AgentGraph): readonly ToolDefinition[] {
  return Object.values(nodes).flatMap(({ tools }) => tools);
}
