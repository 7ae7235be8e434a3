import type { Path } from "../../../src/base/errors.ts";
import { isRecord, type JsonObject, Names, omit, pick, recordAt, sameJson } from "../../../src/base/values/mod.ts";
import { isPlatformVariable } from "../../../src/document/expressions/mod.ts";
import { type AgentGraph, type AgentNode, speaks, type ToolDefinition } from "../../../src/document/graph/mod.ts";
import { destinationsIn } from "../../known/mod.ts";
import type { LoweredGraph, LoweredNode } from "../../lower/mod.ts";
import { isText, keep, type Lose, OWNER, ownKeys, QUIET } from "../shared/mod.ts";
import { MULTIPLE_TOOLS, TRANSFER_KEYS } from "../traits/mod.ts";
import { isUnresolved, madeId, toolType, writeTool } from "./tools.ts";
import { isFolded } from "./ways.ts";

/** A tool of a node, where it stands in the graph. */
export interface PlannedTool {
  readonly tool: ToolDefinition;
  readonly path: Path;
}

/** What a node becomes. */
export interface PlannedNode {
  readonly node: LoweredNode;
  /** `speak-then`: says its text, and a second node has its edges or its tool. `none`: other nodes have its edges. */
  readonly as: "prompt" | "speak" | "speak-then" | "tool" | "none";
  readonly tools: readonly PlannedTool[];
}

/** Settings of a node in the graph that the node in the document does not have. */
export const nodeSettings = (node: AgentNode): JsonObject =>
  omit(ownKeys(node), ["lens", "assistant_id", ...(node.node_type === "transfer" ? TRANSFER_KEYS : [])]);

/** Decides what each node becomes. */
export function planNodes(graph: LoweredGraph, native: boolean, lose: Lose): readonly PlannedNode[] {
  const known = knownVariables(graph);
  return Object.values(graph.nodes).map((node): PlannedNode => {
    const path = ["nodes", node.id];
    const listed = node.tools.map((tool, index) => ({ tool, path: [...path, "tools", index] }));
    const isEntry = node.id === graph.entry_node_id;
    if (node.variables_to_extract.length > 0 && node.node_type !== "extract")
      lose("variables", [...path, "variables_to_extract"]);
    if (node.node_type === "conversation")
      return { node, as: node.instruction_type === "static_text" ? speakKind(node, native) : "prompt", tools: listed };
    if (isFolded(node)) {
      loseSilent(node, path, lose);
      if (!isEntry) return { node, as: "none", tools: [] };
      lose("logic-entry", path);
      return { node, as: "prompt", tools: [] };
    }
    if (node.node_type === "extract") return { node, as: "prompt", tools: [extractTool(node, listed, lose)] };
    if (node.node_type === "function") return functionNode(node, listed, native || isFixed(node, known), lose);
    return isText(ownKeys(node).assistant_id)
      ? assistantNode(node, path, isEntry, lose)
      : terminalNode(node, listed, lose);
  });
}

/** A text that is said and waits for the caller needs a second node. */
function speakKind(node: LoweredNode, native: boolean): "speak" | "speak-then" {
  const isRead = native && ownKeys(node).type === "speak";
  const goesOn = node.transitions.every(({ condition, timing }) => condition.type === "always" && timing !== "else");
  return isRead || goesOn ? "speak" : "speak-then";
}

function loseSilent(node: LoweredNode, path: Path, lose: Lose): void {
  lose(node.node_type === "function" ? "function-without-tool" : "logic", path);
  if (speaks(node)) lose("node-prompt", [...path, "state_prompt"]);
  for (const [index, { name }] of node.tools.entries()) lose("node-tools", [...path, "tools", index], name);
}

/** Variables that have values without a model: given, extracted before, or stored by a tool. */
function knownVariables({ nodes, source_metadata: source }: AgentGraph): ReadonlySet<string> {
  const made = Object.values(nodes).flatMap(({ variables_to_extract: variables, tools }) => [
    ...variables.map(({ name }) => name),
    ...tools.flatMap((tool) => Object.keys(tool.response_variables ?? {})),
  ]);
  return new Set([...Object.keys(source.default_dynamic_variables ?? {}), ...made]);
}

/** Whether a function node needs no model: its arguments are variables. */
function isFixed({ tools: [tool] }: AgentNode, known: ReadonlySet<string>): boolean {
  const { parameters } = tool ?? {};
  if (!isRecord(parameters)) return true;
  if (!isRecord(parameters.properties)) return Object.keys(omit(parameters, ["type", "required"])).length === 0;
  return Object.keys(parameters.properties).every((name) => known.has(name) || isPlatformVariable(name));
}

function functionNode(node: LoweredNode, listed: readonly PlannedTool[], isFixed: boolean, lose: Lose): PlannedNode {
  const path = ["nodes", node.id];
  const [first, ...others] = listed;
  for (const { path: at, tool } of others) lose("function-tools", at, tool.name);
  const tools = first ? [first] : [];
  if (isFixed && speaks(node)) lose("node-prompt", [...path, "state_prompt"]);
  if (!isFixed) lose("function-arguments", path, first?.tool.name);
  return { node, as: isFixed ? "tool" : "prompt", tools };
}

/** The tool with which a model writes the variables of an extract node. */
function extractTool(node: LoweredNode, listed: readonly PlannedTool[], lose: Lose): PlannedTool {
  const path = ["nodes", node.id];
  lose("extract", path);
  for (const { path: at, tool } of listed) lose("node-tools", at, tool.name);
  const variables = node.variables_to_extract.map(({ name, type, description, choices }, index) => {
    const words = [description, choices && choices.length > 0 ? `One of: ${choices.join(", ")}` : ""].filter(Boolean);
    if (choices?.length) lose("variable-detail", [...path, "variables_to_extract", index, "choices"]);
    const named = type === "enum" ? "string" : type;
    return { name, type: named, ...(words.length > 0 ? { description: words.join(" ") } : {}) };
  });
  const tool: ToolDefinition = {
    name: `save_${node.id.replace(/[^\w-]/g, "_").slice(0, 50)}`,
    description: "Saves what the caller has said. Leave out what is not known.",
    type: "update_dynamic_variables",
    metadata: keep({ updatable_variables: variables }),
  };
  return { tool, path };
}

/** A transfer to another assistant is the target of edges. */
function assistantNode(node: LoweredNode, path: Path, isEntry: boolean, lose: Lose): PlannedNode {
  const id = String(ownKeys(node).assistant_id);
  if (isEntry) {
    lose("logic-entry", path);
    return { node, as: "prompt", tools: [] };
  }
  if (node.id !== id) lose("node-id", path, id);
  if (speaks(node)) lose("node-prompt", [...path, "state_prompt"]);
  loseRest(node, path, lose);
  for (const [index, { name }] of node.tools.entries()) lose("node-tools", [...path, "tools", index], name);
  return { node, as: "none", tools: [] };
}

function loseRest(node: LoweredNode, path: Path, lose: Lose): void {
  for (const [index, { target_node_id: target, madeFrom }] of node.transitions.entries())
    lose("no-edge", madeFrom ?? [...path, "transitions", index], target);
}

/** An end or a transfer is a tool node, after a node that speaks if it says something. */
function terminalNode(node: LoweredNode, listed: readonly PlannedTool[], lose: Lose): PlannedNode {
  const path = ["nodes", node.id];
  const isEnd = node.node_type === "end";
  const types = isEnd ? ["hangup"] : ["transfer", "refer", "invite"];
  const found = listed.find(({ tool }) => types.includes(toolType(tool)));
  const made: ToolDefinition = { name: types[0] ?? "", description: "", type: isEnd ? "end_call" : "transfer_call" };
  const given = found?.tool ?? made;
  const settings = { ...ownKeys(given), ...pick(ownKeys(node), isEnd ? [] : TRANSFER_KEYS) };
  const tool: ToolDefinition = { ...given, metadata: { ...given.metadata, [OWNER]: settings } };
  for (const { path: at, tool } of listed.filter((each) => each !== found)) lose("node-tools", at, tool.name);
  loseRest(node, path, lose);
  const others = destinationTexts(given);
  for (const to of others.filter((each) => !JSON.stringify(settings.targets ?? []).includes(each)))
    lose("destination", found?.path ?? path, to);
  const tools = [{ tool, path: found?.path ?? path }];
  if (!speaks(node)) return { node, as: "tool", tools };
  const isStatic = node.instruction_type === "static_text";
  lose("terminal-speech", [...path, "state_prompt"]);
  return { node, as: isStatic ? "speak-then" : "prompt", tools };
}

/** Numbers and addresses in the settings that all platforms have of a tool. */
function destinationTexts({ metadata }: ToolDefinition): readonly string[] {
  const owners = Object.keys(metadata ?? {});
  return owners.flatMap((owner) =>
    destinationsIn(metadata ?? {}, owner).flatMap(
      ({ to, json }) => to ?? String(json.prompt ?? json.assistantName ?? []),
    ),
  );
}

/** A tool as a node refers to it. `json` is absent if only its id is known. */
export interface SharedTool {
  readonly id: string;
  readonly json?: JsonObject;
}

/** The tools of nodes by id. Different tools have different ids; of the types that exist once, all are one tool. */
export class SharedTools {
  readonly #lose: Lose;
  readonly #native: boolean;
  readonly #names: Names;
  readonly #ids = new Map<string, string>();
  readonly #merged = new Map<string, JsonObject>();
  readonly #imported: ReadonlySet<string>;
  readonly #keepers = new Map<string, string>();

  constructor(tools: readonly PlannedTool[], native: boolean, before: readonly ToolDefinition[], lose: Lose) {
    this.#lose = lose;
    this.#native = native;
    const written = (tool: ToolDefinition) => JSON.stringify(writeTool(tool, native, [], QUIET));
    this.#imported = new Set(before.map((tool) => `${tool.tool_id} ${written(tool)}`));
    const known = tools.flatMap(({ tool }) => (isText(tool.tool_id) ? [[tool.tool_id, written(tool)] as const] : []));
    this.#names = new Names(known.map(([id]) => id));
    // an unedited tool keeps its id, so that an edit at one node does not change it at others
    for (const [id, json] of known)
      if (!this.#keepers.has(id) || this.#imported.has(`${id} ${json}`)) this.#keepers.set(id, json);
    if (!native) this.#merge(tools);
  }

  /** Whether several tools of a type became one. */
  isMerged(tool: ToolDefinition): boolean {
    const merged = this.#merged.get(toolType(tool));
    return merged !== undefined && !sameJson(merged, writeTool(tool, this.#native, [], QUIET));
  }

  /** How instructions name a tool: its JSON may have no name, or that of another tool which it became one with. */
  calledAs(tool: ToolDefinition): string {
    const type = toolType(tool);
    const json = this.#merged.get(type) ?? writeTool(tool, this.#native, [], QUIET);
    return isUnresolved(tool) ? tool.name : String(recordAt(json, type).name ?? type);
  }

  add({ tool, path }: PlannedTool): SharedTool {
    if (isUnresolved(tool)) return { id: tool.name };
    const own = writeTool(tool, this.#native, path, this.#lose);
    const merged = this.#merged.get(toolType(tool));
    const json = merged ?? own;
    if (merged && !sameJson(merged, own)) {
      this.#lose("tool-merged", path, toolType(tool));
      this.#loseMerged(own, merged, toolType(tool), path);
    }
    const key = JSON.stringify(json);
    const given = tool.tool_id ?? undefined;
    const asked = JSON.stringify(own);
    const isKept = this.#imported.has(`${given} ${asked}`) || this.#keepers.get(given ?? "") === asked;
    if (given !== undefined && isKept) return { id: given, json };
    const id = this.#ids.get(key) ?? this.#names.take(given ?? madeId(merged ? toolType(tool) : tool.name));
    this.#ids.set(key, id);
    return { id, json };
  }

  #loseMerged(own: JsonObject, merged: JsonObject, type: string, path: Path): void {
    const [mine, all] = [recordAt(own, type), recordAt(merged, type)];
    const lost = Object.keys(mine).filter((key) => !sameJson(mine[key], all[key]) && !Array.isArray(all[key]));
    const around = Object.keys(own).filter((key) => key !== type && !sameJson(own[key], merged[key]));
    const names = [...lost, ...around].map((key) => `${key} ${JSON.stringify(mine[key] ?? own[key])}`);
    if (names.length > 0) this.#lose("tool-detail", path, `${type}, ${names.join(", ")}`);
  }

  #merge(tools: readonly PlannedTool[]): void {
    for (const { tool, path } of tools) {
      const type = toolType(tool);
      if (MULTIPLE_TOOLS.includes(type) || isUnresolved(tool)) continue;
      const json = writeTool(tool, false, path, QUIET);
      const before = this.#merged.get(type);
      this.#merged.set(type, before ? joined(before, json, type) : json);
    }
  }
}

/** Joins two tools of a type: the settings of the first, and the items of all lists. */
function joined(one: JsonObject, other: JsonObject, type: string): JsonObject {
  const [a, b] = [recordAt(one, type), recordAt(other, type)];
  const lists = Object.entries(b).flatMap(([key, value]): (readonly [string, unknown])[] => {
    const mine = a[key];
    if (!Array.isArray(value) || !(mine === undefined || Array.isArray(mine)))
      return mine === undefined ? [[key, value]] : [];
    const kept: readonly unknown[] = mine ?? [];
    const more = value.filter((item: unknown) => !kept.some((each) => sameJson(each, item)));
    return [[key, [...kept, ...more]]];
  });
  return { ...other, ...one, [type]: { ...a, ...Object.fromEntries(lists) } };
}
