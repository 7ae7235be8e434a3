import { type AgentGraph, parseGraph } from "../../../../src/graph/mod.ts";
import { isRecord, type JsonObject } from "../../../../src/values/mod.ts";

/** A graph from nodes that say only what a test is about; the first is where calls start. */
export function graphOf(nodes: { readonly [id: string]: JsonObject }, rest: JsonObject = {}): AgentGraph {
  const completed = Object.entries(nodes).map(([id, node]) => [id, { node_type: "conversation", ...node }]);
  return parseGraph({ nodes: Object.fromEntries(completed), entry_node_id: Object.keys(nodes)[0], ...rest });
}

/** A transition that the model decides. */
export const told = (target: string, value: string) => ({
  target_node_id: target,
  condition: { type: "llm_prompt", value },
});

/** A transition that one comparison decides. */
export const equal = (target: string, left: string, right: string) => ({
  target_node_id: target,
  condition: { type: "equation", value: "", equations: [{ left, operator: "==", right }] },
});

/** A transition without a condition. */
export const always = (target: string, timing?: string) => ({
  target_node_id: target,
  condition: { type: "always", value: "" },
  ...(timing ? { timing } : {}),
});

/** A plain JSON value, as it is written to a file. */
export function json(value: unknown): JsonObject {
  const copy: unknown = JSON.parse(JSON.stringify(value));
  if (!isRecord(copy)) throw new TypeError("no object");
  return copy;
}

/** Every object of a list at a key, or none. */
export function records(owner: unknown, ...keys: readonly string[]): readonly JsonObject[] {
  let found = owner;
  for (const key of keys) found = isRecord(found) ? found[key] : undefined;
  return Array.isArray(found) ? found.filter(isRecord) : [];
}

/** The object at a path of keys; an empty one where there is none. */
export function at(owner: unknown, ...keys: readonly string[]): JsonObject {
  let found = owner;
  for (const key of keys) found = isRecord(found) ? found[key] : undefined;
  return isRecord(found) ? found : {};
}

/** A member of a squad by its assistant's name. */
export function memberOf(squad: unknown, name: string): JsonObject {
  const found = records(squad, "members").find((member) => at(member, "assistant").name === name);
  if (!found) throw new TypeError(`no member "${name}"`);
  return found;
}

/** All tools that a member has, its own and those that are appended. */
export function toolsOf(member: JsonObject): readonly JsonObject[] {
  return [...records(member, "assistant", "model", "tools"), ...records(member, "assistantOverrides", "tools:append")];
}

/** The member's handoff tools by the name of the assistant they lead to. */
export function handoffTo(member: JsonObject, name: string): JsonObject {
  const found = toolsOf(member).find((tool) => records(tool, "destinations")[0]?.assistantName === name);
  if (!found) throw new TypeError(`no handoff to "${name}"`);
  return found;
}

/** What a tool's name is. */
export const nameOf = (tool: JsonObject) => String(at(tool, "function").name ?? tool.name ?? tool.type);

/** The system prompt of a member. */
export function promptOf(member: JsonObject): string {
  return String(records(member, "assistant", "model", "messages")[0]?.content);
}
