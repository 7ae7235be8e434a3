import type { AgentGraph, ToolDefinition } from "../../../src/graph/mod.ts";
import { canonicalJson, isRecord, type JsonObject, sameJson } from "../../../src/values/mod.ts";

/** The tools of a flow or component by id; the first of several with one id. */
export function toolsById(tools: unknown): ReadonlyMap<string, JsonObject> {
  const byId = new Map<string, JsonObject>();
  if (!Array.isArray(tools)) return byId;
  for (const tool of tools)
    if (isRecord(tool) && typeof tool.tool_id === "string" && !byId.has(tool.tool_id)) byId.set(tool.tool_id, tool);
  return byId;
}

/** The tools that no node calls: the others are part of the nodes that call them. */
export function unusedTools(tools: unknown, nodes: Iterable<JsonObject>): { readonly tools?: readonly JsonObject[] } {
  if (!Array.isArray(tools)) return {};
  const used = new Set([...nodes].flatMap((node) => (Array.isArray(node.tools) ? node.tools.map(idOf) : [])));
  const unused = tools.filter(isRecord).filter((tool) => typeof tool.tool_id !== "string" || !used.has(tool.tool_id));
  return unused.length > 0 ? { tools: unused } : {};
}

function idOf(tool: unknown): unknown {
  return isRecord(tool) ? tool.tool_id : undefined;
}

/** The list of a flow's tools: those that no node calls, then those that were collected from the nodes. */
export function writeFlowTools(used: ReadonlyMap<string, JsonObject>, own: JsonObject): JsonObject {
  const unused: readonly unknown[] = Array.isArray(own.tools) ? own.tools : [];
  const tools = [...unused, ...used.values()];
  return tools.length > 0 ? { tools } : {};
}

/**
 * Of tools with one id that differ, the one that keeps it: the tool as it was imported while a node still has it, else what
 * most nodes have. A tool that was edited at one of its nodes does not change what the others run.
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
function countTools({ nodes }: AgentGraph): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const counts = new Map<string, Map<string, number>>();
  for (const { tool_id: id, ...tool } of Object.values(nodes).flatMap((node) => node.tools)) {
    if (!id) continue;
    const ofId = counts.get(id) ?? new Map<string, number>();
    const print = canonicalJson(tool);
    counts.set(id, ofId.set(print, (ofId.get(print) ?? 0) + 1));
  }
  return counts;
}

/** Collects the tools that nodes refer to; two that differ never share an id. */
export class ToolRegistry {
  readonly used = new Map<string, JsonObject>();
  readonly #keepers: ReadonlyMap<string, string>;
  readonly #taken: ReadonlySet<unknown>;

  constructor(graph: AgentGraph, own: JsonObject, imported?: AgentGraph) {
    this.#keepers = keepers(graph, imported);
    const unused: readonly unknown[] = Array.isArray(own.tools) ? own.tools : [];
    const inNodes = Object.values(graph.nodes).flatMap((node) => node.tools);
    this.#taken = new Set([...unused, ...inNodes].map(idOf));
  }

  /**
   * @param written The tool as Retell has it.
   * @returns The id under which the tool is found: the wanted one, or another when that is a different tool's.
   */
  add({ tool_id: _, ...tool }: ToolDefinition, written: JsonObject, wanted: string): string {
    const keeper = this.#keepers.get(wanted);
    const keepsId = keeper === undefined || keeper === canonicalJson(tool);
    for (let count = keepsId ? 1 : 2; ; count++) {
      const id = count === 1 ? wanted : `${wanted}-${count}`;
      const numbered = { ...written, tool_id: id };
      const there = this.used.get(id);
      if (there ? !sameJson(there, numbered) : count > 1 && this.#taken.has(id)) continue;
      this.used.set(id, numbered);
      return id;
    }
  }
}
