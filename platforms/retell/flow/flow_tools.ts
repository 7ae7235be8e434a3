import type { AgentGraph } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, sameJson } from "../../../src/values/mod.ts";
import { type Kept, kept } from "../shared/mod.ts";
import { printOf, readPrints } from "./print.ts";
import { writeTool } from "./tools.ts";

/**
 * The tools of a flow. Those that nodes use are described by the nodes; the others are kept with the flow. `places`
 * says how both stood in the list: a used one by its id, another by its index among the kept ones. `prints` has what
 * tells a tool that several nodes use from its edited copies.
 */
export interface ReadFlowTools {
  readonly own: JsonObject;
  readonly places?: readonly (string | number)[];
  readonly prints?: readonly (readonly [id: string, print: string])[];
}

/** The tools of a flow or component by id; the first of several with one id. */
export function toolsById(tools: unknown): ReadonlyMap<string, JsonObject> {
  const byId = new Map<string, JsonObject>();
  if (!Array.isArray(tools)) return byId;
  for (const tool of tools)
    if (isRecord(tool) && typeof tool.tool_id === "string" && !byId.has(tool.tool_id)) byId.set(tool.tool_id, tool);
  return byId;
}

/** Splits a flow's tools into those that its nodes use and the rest. */
export function readFlowTools(body: JsonObject, nodes: { readonly [id: string]: JsonObject }): ReadFlowTools {
  if (!Object.hasOwn(body, "tools")) return { own: {} };
  const { tools } = body;
  if (!Array.isArray(tools)) return { own: { tools } };
  const used = new Set<string>();
  const shared = new Set<string>();
  for (const id of Object.values(nodes).flatMap(toolIdsOf)) (used.has(id) ? shared : used).add(id);
  const unused: unknown[] = [];
  const prints: [id: string, print: string][] = [];
  const places = tools.map((tool: unknown) => {
    const id = isRecord(tool) ? tool.tool_id : undefined;
    if (typeof id !== "string" || !used.delete(id)) return unused.push(tool) - 1;
    if (shared.has(id)) prints.push([id, printOf(tool)]);
    return id;
  });
  if (unused.length === tools.length) return { own: { tools } };
  return { own: unused.length > 0 ? { tools: unused } : {}, places, ...(prints.length > 0 ? { prints } : {}) };
}

function toolIdsOf({ tools }: JsonObject): string[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown) =>
    isRecord(tool) && typeof tool.tool_id === "string" && isReference(tool.metadata) ? [tool.tool_id] : [],
  );
}

/** Whether a tool with an id is one of the flow's: neither written in its node nor defined elsewhere. */
export function isReference(metadata: unknown): boolean {
  const { lens } = kept(metadata);
  return lens.inline !== true && lens.elsewhere !== true;
}

/** Puts the flow's tools together: as they stood, with new ones at the end. */
export function writeFlowTools(used: ReadonlyMap<string, JsonObject>, { own, lens }: Kept): JsonObject {
  const unused: readonly unknown[] = Array.isArray(own.tools) ? own.tools : [];
  const places: readonly unknown[] = Array.isArray(lens.tools) ? lens.tools : unused.map((_, index) => index);
  const left = new Map(used);
  const kept = new Set(unused.keys());
  const listed = places.flatMap((place): unknown[] => {
    if (typeof place === "number") return kept.delete(place) ? [unused[place]] : [];
    const tool = typeof place === "string" ? left.get(place) : undefined;
    if (tool !== undefined) left.delete(String(place));
    return tool === undefined ? [] : [tool];
  });
  const tools = [...listed, ...[...kept].map((index) => unused[index]), ...left.values()];
  if (tools.length > 0 || Array.isArray(lens.tools)) return { tools };
  return {};
}

/** The shared tools of a document that some node still has as they were. */
function unedited({ nodes }: AgentGraph, prints: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  if (prints.size === 0) return prints;
  const tools = Object.values(nodes).flatMap((node) => node.tools);
  return new Map(
    tools.flatMap((tool) => {
      const print = prints.get(tool.tool_id ?? "");
      const same = print !== undefined && isReference(tool.metadata) && printOf(writeTool(tool)) === print;
      return same && tool.tool_id ? [[tool.tool_id, print] as const] : [];
    }),
  );
}

/** The ids that tools have already, those that no node uses included. */
function idsOf({ nodes }: AgentGraph, { own }: Kept): ReadonlySet<unknown> {
  const unused = (Array.isArray(own.tools) ? own.tools : []).filter(isRecord);
  return new Set([...unused, ...Object.values(nodes).flatMap((node) => node.tools)].map(({ tool_id }) => tool_id));
}

/**
 * Collects the tools that nodes refer to; two that differ never share an id. The document's own keeps its id, and its
 * edited copies get others, which no tool has.
 */
export class ToolRegistry {
  readonly used = new Map<string, JsonObject>();
  readonly #originals: ReadonlyMap<string, string>;
  readonly #taken: ReadonlySet<unknown>;

  constructor(graph: AgentGraph, keptBody: Kept) {
    this.#originals = unedited(graph, readPrints(keptBody.lens.prints));
    this.#taken = idsOf(graph, keptBody);
  }

  /** @returns The id under which the tool is found: the wanted one, or another when that is a different tool's. */
  add(tool: JsonObject, wanted: string): string {
    for (let count = 1; ; count++) {
      const id = count === 1 ? wanted : `${wanted}-${count}`;
      if (count > 1 && this.#taken.has(id)) continue;
      const numbered = { ...tool, tool_id: id };
      const there = this.used.get(id);
      if (there && !sameJson(there, numbered)) continue;
      const original = this.#originals.get(id);
      if (original !== undefined && original !== printOf(numbered)) continue;
      this.used.set(id, numbered);
      return id;
    }
  }
}
