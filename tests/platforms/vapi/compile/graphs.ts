import { isRecord, type JsonObject } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, parseGraph } from "../../../../src/document/graph/mod.ts";

/** Creates a graph from partial nodes; the first one is the entry node. */
export function graphOf(nodes: { readonly [id: string]: JsonObject }, rest: JsonObject = {}): AgentGraph {
  const completed = Object.entries(nodes).map(([id, node]) => [id, { node_type: "conversation", ...node }]);
  return parseGraph({ nodes: Object.fromEntries(completed), entry_node_id: Object.keys(nodes)[0], ...rest });
}

/** Creates a transition with an LLM condition. */
export const told = (target: string, value: string) => ({
  target_node_id: target,
  condition: { type: "llm_prompt", value },
});

/** Creates a transition with one equation. */
export const equal = (target: string, left: string, right: string) => ({
  target_node_id: target,
  condition: { type: "equation", value: "", equations: [{ left, operator: "==", right }] },
});

/** Creates an `always` transition. */
export const always = (target: string, timing?: string) => ({
  target_node_id: target,
  condition: { type: "always", value: "" },
  ...(timing ? { timing } : {}),
});

/** Converts a value to plain JSON. */
export function json(value: unknown): JsonObject {
  const copy: unknown = JSON.parse(JSON.stringify(value));
  if (!isRecord(copy)) throw new TypeError("no object");
  return copy;
}

/** Returns the objects of a list at a path; empty if there is no list. */
export function records(owner: unknown, ...keys: readonly string[]): readonly JsonObject[] {
  let found = owner;
  for (const key of keys) found = isRecord(found) ? found[key] : undefined;
  return Array.isArray(found) ? found.filter(isRecord) : [];
}

/** Returns the object at a path of keys; empty if there is none. */
export function at(owner: unknown, ...keys: readonly string[]): JsonObject {
  let found = owner;
  for (const key of keys) found = isRecord(found) ? found[key] : undefined;
  return isRecord(found) ? found : {};
}

/** Returns a member of a squad by its assistant's name. */
export function memberOf(squad: unknown, name: string): JsonObject {
  const found = records(squad, "members").find((member) => at(member, "assistant").name === name);
  if (!found) throw new TypeError(`no member "${name}"`);
  return found;
}

/** Returns all tools of a member, including appended ones. */
export function toolsOf(member: JsonObject): readonly JsonObject[] {
  return [...records(member, "assistant", "model", "tools"), ...records(member, "assistantOverrides", "tools:append")];
}

/** Returns a member's handoff tools by the name of the target assistant. */
export function handoffTo(member: JsonObject, name: string): JsonObject {
  const found = toolsOf(member).find((tool) => records(tool, "destinations")[0]?.assistantName === name);
  if (!found) throw new TypeError(`no handoff to "${name}"`);
  return found;
}

/** Returns the name of a tool. */
export const nameOf = (tool: JsonObject) => String(at(tool, "function").name ?? tool.name ?? tool.type);

/** Returns the system prompt of a member. */
export function promptOf(member: JsonObject): string {
  return String(records(member, "assistant", "model", "messages")[0]?.content);
}
