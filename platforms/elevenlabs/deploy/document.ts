import { DeployError } from "../../../src/base/errors.ts";
import { isRecord, isTexts, type JsonObject, omit, recordAt, records, setAt } from "../../../src/base/values/mod.ts";
import { type Resource, referencedAddress, referenceTo } from "../../deploying/mod.ts";
import { openAgent } from "../agent/mod.ts";
import { ELEVENLABS_SERVER_KEYS } from "../traits/mod.ts";

const PROMPT = ["conversation_config", "agent", "prompt"];

/**
 * Opens an agent's document as requests have it: one spelling of keys, the workflow at the top.
 *
 * @throws {DeployError} `not-deployable`.
 */
export function openElevenLabs(document: unknown): JsonObject {
  const { body } = openAgent(document);
  if (isRecord(body) && isRecord(body.conversation_config)) return body;
  throw new DeployError("Cannot deploy to ElevenLabs: the document is no agent", {
    code: "not-deployable",
    hint: "Deploy a flow from code, or an agent's JSON",
  });
}

const promptOf = (agent: JsonObject) => recordAt(recordAt(recordAt(agent, "conversation_config"), "agent"), "prompt");

/**
 * Splits a document: the tools that nodes or the agent name and that have to be created, and the agent. Of an agent with
 * `tool_ids`, its `tools` are what the API has written out of them: a request has one of both.
 *
 * @throws {DeployError} `not-deployable` if it has more tools than ids: which of them are new is not known.
 */
export function splitElevenLabs(document: unknown): readonly Resource[] {
  const whole = openElevenLabs(document);
  const prompt = promptOf(whole);
  const inline = records(prompt.tools).filter(({ type }) => type !== "system");
  const ids = isTexts(prompt.tool_ids) ? prompt.tool_ids : [];
  const named = new Set([...ids, ...idsInNodes(whole)]);
  const nodeNames = new Set(idsInNodes(whole));
  const names = new Set(inline.map(({ name }) => name));
  const stored = ids.filter((id) => !names.has(id));
  // without ids of stored tools, the agent's tools are those that no node names
  const isMade = ({ name }: JsonObject) => typeof name === "string" && (named.has(name) || stored.length === 0);
  const made = inline.filter(isMade);
  checkWrittenOut(
    inline.filter((tool) => !isMade(tool)),
    // the API may write out the tools of nodes, too
    [...named].filter((id) => !names.has(id)),
  );
  const references = new Map(made.map(({ name }) => [String(name), referenceTo(`tool:${String(name)}`)]));
  const own = made.map(({ name }) => String(name)).filter((name) => !nodeNames.has(name) && !ids.includes(name));
  const listed = [...ids, ...own];
  const tools = made.map(
    (config): Resource => ({ kind: "tool", name: String(config.name), body: { tool_config: config } }),
  );
  const listing = listed.length > 0 ? setAt(whole, [...PROMPT, "tool_ids"], listed) : whole;
  const linked = mapIds(listing, (id) => references.get(id) ?? id);
  const { agent_id: id, branch_id: branch, main_branch_id: main } = whole;
  const place = typeof branch === "string" && branch !== main ? `${String(id)}@${branch}` : id;
  const address = typeof id === "string" && id !== "" ? { id: String(place) } : {};
  return [...tools, { kind: "agent", name: "agent", ...address, body: requestBody(linked) }];
}

/** @throws {DeployError} If an agent has more tools than the ids that they were written out of: one would be left out. */
function checkWrittenOut(tools: readonly JsonObject[], ids: readonly string[]): void {
  if (tools.length <= ids.length) return;
  const names = tools.map(({ name }) => String(name)).join(", ");
  throw new DeployError(`Cannot deploy to ElevenLabs: of the tools ${names}, some have no id in "tool_ids"`, {
    code: "not-deployable",
    path: [...PROMPT, "tools"],
    hint: 'Add the new tool to a node, or write its name into "tool_ids"',
  });
}

/** The body of a request: without what the servers add, without tools that they write out, with conditions on all edges. */
export function requestBody(whole: JsonObject): JsonObject {
  const agent = omit(whole, [...ELEVENLABS_SERVER_KEYS, "trust_context"]);
  const prompt = promptOf(agent);
  if (!Object.hasOwn(prompt, "tools")) return withConditions(agent);
  const builtIn = recordAt(prompt, "built_in_tools");
  const known = new Set(Object.values(builtIn).map((tool) => (isRecord(tool) ? tool.name : undefined)));
  const system = records(prompt.tools).filter(({ type, name }) => type === "system" && !known.has(name));
  const added = system.map((tool) => [String(recordAt(tool, "params").system_tool_type ?? tool.name), tool]);
  const rest = omit(prompt, ["tools"]);
  const whole_ = added.length > 0 ? { ...rest, built_in_tools: { ...builtIn, ...Object.fromEntries(added) } } : rest;
  return withConditions(setAt(agent, PROMPT, whole_));
}

/** The API returns an edge that is always taken with both conditions `null`, and refuses it in a request. */
function withConditions(agent: JsonObject): JsonObject {
  const { edges } = recordAt(agent, "workflow");
  if (!isRecord(edges)) return agent;
  const all = Object.entries(edges).map(([id, edge]) => {
    const isBare = isRecord(edge) && edge.forward_condition == null && edge.backward_condition == null;
    return [id, isBare ? { ...edge, forward_condition: { type: "unconditional" } } : edge] as const;
  });
  return setAt(agent, ["workflow", "edges"], Object.fromEntries(all));
}

/** Joins resources: tools stand in the agent's prompt, and are named where the agent references them. */
export function joinElevenLabs(resources: readonly Resource[]): unknown {
  const agent = resources.find(({ kind }) => kind === "agent");
  const tools = resources.filter(({ kind }) => kind === "tool");
  const body = { ...agent?.body };
  const names = new Map(tools.map(({ name }) => [`tool:${name}`, name]));
  const named = mapIds(body, (id) => names.get(referencedAddress(id) ?? "") ?? id);
  const configs = tools.map(({ body: { tool_config: config } }) => (isRecord(config) ? config : {}));
  const whole = configs.length > 0 ? setAt(named, [...PROMPT, "tools"], configs) : named;
  if (agent?.id === undefined) return whole;
  const [id = "", branch] = agent.id.split("@");
  return { agent_id: id, ...(branch ? { branch_id: branch } : {}), ...whole };
}

function idsInNodes(whole: JsonObject): readonly string[] {
  const found: string[] = [];
  mapNodeIds(whole, (id) => {
    found.push(id);
    return id;
  });
  return found;
}

/** Replaces the ids of tools, of the agent and of its nodes. */
function mapIds(whole: JsonObject, change: (id: string) => string): JsonObject {
  const { tool_ids: ids } = promptOf(whole);
  const own = isTexts(ids) ? setAt(whole, [...PROMPT, "tool_ids"], ids.map(change)) : whole;
  return mapNodeIds(own, change);
}

function mapNodeIds(whole: JsonObject, change: (id: string) => string): JsonObject {
  const { nodes } = recordAt(whole, "workflow");
  if (!isRecord(nodes)) return whole;
  const all = Object.entries(nodes).map(([id, node]) => [id, isRecord(node) ? nodeWith(node, change) : node] as const);
  return setAt(whole, ["workflow", "nodes"], Object.fromEntries(all));
}

function nodeWith(node: JsonObject, change: (id: string) => string): JsonObject {
  const { additional_tool_ids: added, tools } = node;
  const { tool_ids: listed } = promptOf(node);
  const located = (tool: unknown) =>
    isRecord(tool) && typeof tool.tool_id === "string" ? { ...tool, tool_id: change(tool.tool_id) } : tool;
  const changed = {
    ...node,
    ...(isTexts(added) ? { additional_tool_ids: added.map(change) } : {}),
    ...(node.type === "tool" && Array.isArray(tools) ? { tools: tools.map(located) } : {}),
  };
  return isTexts(listed) ? setAt(changed, [...PROMPT, "tool_ids"], listed.map(change)) : changed;
}
