import type { AgentGraph, ToolDefinition } from "../../../src/graph/mod.ts";
import { canonicalJson, type JsonObject, sameJson } from "../../../src/values/mod.ts";
import { freeName, isText, records } from "../shared/mod.ts";

/** The tools of a flow or component by id; of several with the same id, the first. */
export function toolsById(tools: unknown): ReadonlyMap<string, JsonObject> {
  return new Map(
    records(tools)
      .flatMap((tool) => (isText(tool.tool_id) ? [[tool.tool_id, tool] as const] : []))
      .toReversed(),
  );
}

/** The tools that no node calls. The others are part of the nodes that call them. */
export function unusedTools(tools: unknown, nodes: readonly JsonObject[]): { readonly tools?: readonly JsonObject[] } {
  const used = new Set(nodes.flatMap((node) => records(node.tools).map(({ tool_id: id }) => id)));
  const unused = records(tools).filter(({ tool_id: id }) => !isText(id) || !used.has(id));
  return unused.length > 0 ? { tools: unused } : {};
}

/** Collects the tools that nodes refer to. Tools that differ never share an id. */
export class ToolRegistry {
  readonly #unused: readonly JsonObject[];
  readonly #used = new Map<string, JsonObject>();
  readonly #keepers: ReadonlyMap<string, string>;
  readonly #taken: ReadonlySet<unknown>;

  /**
   * @param own Retell's own keys of the flow, which hold the tools that no node calls.
   * @param imported The graph as it was imported.
   */
  constructor(graph: AgentGraph, own: JsonObject, imported?: AgentGraph) {
    this.#unused = records(own.tools);
    this.#keepers = keepers(graph, imported);
    this.#taken = new Set([...this.#unused, ...toolsOf(graph)].map(({ tool_id: id }) => id));
  }

  /**
   * @param written The tool as Retell has it.
   * @returns The id of the tool in the flow: the wanted one, or another if that is a different tool's.
   */
  add({ tool_id: _, ...tool }: ToolDefinition, written: JsonObject, wanted: string): string {
    const keeper = this.#keepers.get(wanted);
    const keepsId = keeper === undefined || keeper === canonicalJson(tool);
    const id = freeName(wanted, (name) => {
      const there = this.#used.get(name);
      if (name === wanted && !keepsId) return true;
      return there ? !sameJson(there, { ...written, tool_id: name }) : name !== wanted && this.#taken.has(name);
    });
    this.#used.set(id, { ...written, tool_id: id });
    return id;
  }

  /** The flow's list: the tools that no node calls, then those of the nodes. */
  all(): { readonly tools?: readonly JsonObject[] } {
    const tools = [...this.#unused, ...this.#used.values()];
    return tools.length > 0 ? { tools } : {};
  }
}

/**
 * Of tools with the same id that differ, the one that keeps the id: the tool as it was imported if a node still has it,
 * else what most nodes have. So a tool that is edited at one node does not change what others run.
 */
function keepers(graph: AgentGraph, imported: AgentGraph | undefined): ReadonlyMap<string, string> {
  const before = imported && countTools(imported);
  const keeper = (id: string, ofId: ReadonlyMap<string, number>) =>
    [...ofId.keys()].find((print) => before?.get(id)?.has(print)) ??
    [...ofId].toSorted(([, a], [, b]) => b - a)[0]?.[0] ??
    "";
  return new Map([...countTools(graph)].map(([id, ofId]) => [id, keeper(id, ofId)]));
}

/** How many nodes have each content of a tool, by its id. */
function countTools(graph: AgentGraph): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const counts = new Map<string, Map<string, number>>();
  for (const { tool_id: id, ...tool } of toolsOf(graph)) {
    if (!id) continue;
    const ofId = counts.get(id) ?? new Map<string, number>();
    const print = canonicalJson(tool);
    counts.set(id, ofId.set(print, (ofId.get(print) ?? 0) + 1));
  }
  return counts;
}

function toolsOf({ nodes }: AgentGraph): readonly ToolDefinition[] {
  return Object.values(nodes).flatMap(({ tools }) => tools);
}
