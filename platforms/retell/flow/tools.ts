import type { Path } from "../../../src/base/errors.ts";
import {
  canonicalJson,
  freeName,
  isRecord,
  isTextMap,
  isTexts,
  type JsonObject,
  madeOnce,
  Names,
  omit,
  own,
  recordAt,
  records,
  sameJson,
  slug,
} from "../../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode, ToolDefinition } from "../../../src/document/graph/mod.ts";
import {
  completeTool,
  type Field,
  getFields,
  isRunElsewhere,
  isString,
  LLM_OWNER,
  type Losses,
  type LossTable,
  llmKeys,
  loseForeignSettings,
  ownKeys,
  putFields,
  readRetellTool,
  retellTables,
  TOOL_FIELDS,
} from "../shared/mod.ts";
import { RETELL_SERVER_KEYS } from "../traits/mod.ts";

/** A tool in the graph for a node type that does work itself, so that it can be mocked. It is named after the node. */
interface StandIn {
  readonly tool: JsonObject;
  /** Keys of the node with settings of the tool. */
  readonly fields: readonly Field[];
}

const RESULTS: Field = { graph: "response_variables", fits: isTextMap };
const DIGITS = { type: "string", description: "The keys to press" };
const PRESSED = { type: "object", properties: { digits: DIGITS }, required: ["digits"] };

/** These tools by Retell's node type. */
const STAND_INS: { readonly [nodeType: string]: StandIn } = {
  code: { tool: { type: "code" }, fields: [RESULTS] },
  mcp: { tool: { type: "mcp" }, fields: [{ graph: "name", retell: "mcp_tool_name", fits: isString }, RESULTS] },
  sms: { tool: { type: "send_sms" }, fields: [] },
  press_digit: { tool: { name: "press_digit", type: "press_digit", parameters: PRESSED }, fields: [] },
};

/** Whether nodes of a type have tools. */
export const hasTools = (type: string): boolean =>
  type === "function" || type === "subagent" || Object.hasOwn(STAND_INS, type);

/** Reads the tools of a node (its own, and those of the flow that it refers to), and the keys that contain them. */
export function readNodeTools(node: JsonObject, type: string, id: string, flowTools: ReadonlyMap<unknown, JsonObject>) {
  const refer = (toolId: string) =>
    readRetellTool(flowTools.get(toolId) ?? { name: toolId, type: "custom", tool_id: toolId });
  const standIn = own(STAND_INS, type);
  if (standIn) {
    const more = getFields(node, standIn.fields);
    const name = (isString(node.name) && slug(node.name)) || id;
    const keys = standIn.fields.map(({ graph, retell = graph }) => (Object.hasOwn(more, graph) ? retell : ""));
    return { tools: [{ name, description: "", ...standIn.tool, ...more }], keys };
  }
  const { tool_id: toolId } = node;
  if (type === "function" && isString(toolId) && (toolId !== "" || flowTools.has("")))
    return { tools: [refer(toolId)], keys: ["tool_id"] };
  if (type !== "subagent") return { tools: [], keys: [] };
  const ids = isTexts(node.tool_ids) ? node.tool_ids : [];
  const inline: readonly unknown[] = Array.isArray(node.tools) ? node.tools : [];
  const readable = inline.every(isRecord) ? inline : [];
  return {
    tools: [...ids.map(refer), ...readable.map((tool) => readRetellTool(tool, true))],
    keys: [...(ids.length > 0 ? ["tool_ids"] : []), ...(readable.length > 0 ? ["tools"] : [])],
  };
}

/** Writes the tools of a node: the inverse of {@link readNodeTools}. */
export function writeNodeTools(node: AgentNode, type: string, context: FlowContext): JsonObject {
  const [first] = node.tools;
  const standIn = own(STAND_INS, type);
  if (standIn) return first ? putFields(first, standIn.fields, {}) : {};
  if (type === "function") return first ? { tool_id: refer(first, context, ["nodes", node.id, "tools", 0]) } : {};
  if (type !== "subagent") return {};
  const ids: string[] = [];
  const inline: JsonObject[] = [];
  for (const [index, tool] of node.tools.entries()) {
    const path = ["nodes", node.id, "tools", index];
    if (context.foreign && isRunElsewhere(tool, [node])) {
      context.losses.add("tool-built-in", path, `Retell has no tool of the type "${tool.type}"`);
      continue;
    }
    const isHeld = !context.foreign || retellTables().flow_tools.includes(tool.type ?? "custom");
    if (isString(tool.tool_id) && isHeld) ids.push(refer(tool, context, path));
    else inline.push(written(tool, context, path));
  }
  return { ...(ids.length > 0 ? { tool_ids: ids } : {}), ...(inline.length > 0 ? { tools: inline } : {}) };
}

/** Adds a tool to the flow and returns its id. */
function refer(tool: ToolDefinition, context: FlowContext, path: Path): string {
  const held = written(tool, context, path, retellTables().flow_tools);
  return context.tools.add(tool, held, tool.tool_id ?? `tool-${tool.name}`);
}

/** Writes a tool in Retell's JSON. An imported tool is not completed. */
function written(
  tool: ToolDefinition,
  { foreign, losses }: FlowContext,
  path: Path,
  types?: readonly string[],
): JsonObject {
  const said = putFields(tool, TOOL_FIELDS);
  if (!foreign) return said;
  const { tool: complete } = completeTool(said, types);
  const named = tool.type ?? "custom";
  if (named !== complete.type && named !== "function")
    losses.add("tool-type", path, `Retell has no tool of this type: ${named}`, `a ${complete.type} tool`);
  const message = `The custom tool has no URL: ${tool.name}`;
  if (complete.type === "custom" && !tool.url) losses.add("tool-url", path, message, "an empty URL");
  return { ...complete, ...omit(said, ["type", "parameters"]) };
}

/** Reports parts of such a tool that its node does not support. */
export function loseStandIn(node: AgentNode, type: string, written: JsonObject, { losses }: FlowContext): void {
  if (!Object.hasOwn(STAND_INS, type)) return;
  const back = readNodeTools(written, type, node.id, new Map()).tools;
  const most = type === "press_digit" ? node.tools.length : 1;
  for (const [index, tool] of node.tools.slice(0, most).entries()) {
    const given = omit({ ...tool }, ["metadata"]);
    const near = back.find(({ name }) => name === tool.name) ?? {};
    const settings = Object.entries(ownKeys(tool)).filter(([key, value]) => !sameJson(written[key], value));
    const lost = [
      ...Object.keys(given).filter((key) => !sameJson(given[key], near[key])),
      ...settings.map(([key]) => key),
    ];
    const message = `This type of node does not store all of its tool "${tool.name}": ${lost.join(", ")}`;
    if (settings.length > 0 || !back.some((each) => sameJson(each, given)))
      losses.add("tool-detail", ["nodes", node.id, "tools", index], message, "the node without it");
  }
}

/** State of emitting one graph. */
export interface FlowContext {
  /** Whether the graph was not imported from a flow, so that unsupported parts are converted. */
  readonly foreign: boolean;
  readonly losses: Losses<FlowLossCode>;
  readonly tools: ToolRegistry;
  readonly edgeIds: EdgeIds;
  /** Computed on the first call, because imported documents already have positions. */
  readonly positionOf: ReturnType<typeof layOutNodes>;
}

/** Returns the context of a component: with its own tools and positions, and losses with the node ids of the graph. */
export function partContext(
  { id, part }: { readonly id: string; readonly part: AgentGraph },
  own: JsonObject,
  context: FlowContext,
  imported?: AgentGraph,
): FlowContext {
  const { losses } = context;
  const inWhole = (path: Path) => path.map((key, at) => (path[0] === "nodes" && at === 1 ? `${id}/${key}` : key));
  return {
    ...context,
    losses: { ...losses, add: (code, path, ...words) => losses.add(code, inWhole(path), ...words) },
    tools: new ToolRegistry(part, own, imported),
    positionOf: layOutNodes(part),
  };
}

const COLUMN = 600;
const ROW = 400;

/**
 * Lays out all nodes: a column per step from the entry, from left to right. Nodes without an incoming transition, such
 * as global nodes, are in the last row.
 */
export function layOutNodes(graph: AgentGraph) {
  const places = madeOnce(() => place(graph));
  return (id: string) => places().get(id) ?? { x: 0, y: 0 };
}

function place(graph: AgentGraph) {
  const columns = new Map<string, number>([[graph.entry_node_id, 0]]);
  for (const [id, column] of columns)
    for (const { target_node_id: target } of own(graph.nodes, id)?.transitions ?? [])
      if (!columns.has(target)) columns.set(target, column + 1);
  const heights = new Map<number, number>();
  const places = new Map<string, { readonly x: number; readonly y: number }>();
  for (const [id, column] of columns) {
    const row = heights.get(column) ?? 0;
    heights.set(column, row + 1);
    places.set(id, { x: column * COLUMN, y: row * ROW });
  }
  const below = Math.max(0, ...heights.values()) * ROW;
  let last = 0;
  for (const id of Object.keys(graph.nodes)) if (!places.has(id)) places.set(id, { x: last++ * COLUMN, y: below });
  return places;
}

/** Assigns edges unique and deterministic ids. */
export class EdgeIds {
  readonly #new: Names;
  readonly #claimed = new Set<string>();

  constructor(taken: Iterable<string>) {
    this.#new = new Names(taken);
  }

  /** Returns the wanted id for the first edge with it, and a new one for others. */
  claim(wanted: string, nodeId: string, what: string): string {
    if (this.#claimed.has(wanted)) return this.next(nodeId, what);
    this.#claimed.add(wanted);
    return wanted;
  }

  next(nodeId: string, what: string): string {
    return this.#new.take(`edge-${nodeId}-${what}`);
  }
}

/** Returns all texts under a key `id`, at any depth. New ids must differ from them. */
export function idsIn(value: unknown, found: string[] = []): readonly string[] {
  if (Array.isArray(value)) for (const item of value) idsIn(item, found);
  if (!isRecord(value)) return found;
  if (typeof value.id === "string") found.push(value.id);
  for (const item of Object.values(value)) idsIn(item, found);
  return found;
}

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
  readonly #before: readonly unknown[];

  /**
   * @param own Retell's own keys of the flow, including the tools that no node calls.
   * @param imported The graph before any edits.
   */
  constructor(graph: AgentGraph, own: JsonObject, imported?: AgentGraph) {
    this.#unused = records(own.tools);
    this.#keepers = keepers(graph, imported);
    this.#taken = new Set([...this.#unused, ...toolsOf(graph)].map(({ tool_id: id }) => id));
    this.#before = imported ? toolsOf(imported).map(({ tool_id: id }) => id) : [];
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

  /** Returns the flow's list: the tools that no node calls, then those of the nodes, in the order in which they were. */
  all(): { readonly tools?: readonly JsonObject[] } {
    const used = [...this.#used.values()];
    const placeOf = ({ tool_id: id }: JsonObject) => this.#before.indexOf(id);
    const known = used.filter((tool) => placeOf(tool) >= 0).toSorted((a, b) => placeOf(a) - placeOf(b));
    const tools = [...this.#unused, ...used.map((tool) => (placeOf(tool) < 0 ? tool : (known.shift() ?? tool)))];
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

/** Losses of conversation flows by code, with hints. */
export const FLOW_LOSSES = {
  component: ["emulated", "Enter it by its component node and leave it by its end nodes"],
  snippet: ["emulated"],
  "snippet-unused": ["dropped", "Use it in a prompt, or remove it"],
  "foreign-settings": ["dropped", "Set Retell's own settings in the retell option"],
  "setting-ignored": ["dropped", "Remove it from the retell option, or change the flow itself"],
  "s2s-model": ["dropped", "Emit retell-llm, or remove s2s_model from the retell option"],
  "begin-message": ["emulated", "Make the entry node a static_text node"],
  "node-prompt": ["dropped", "Move the prompt to a conversation node"],
  "static-text": ["emulated", "Remove its tools, or make it a prompt"],
  "node-tools": ["dropped", "Move the tools to a conversation node"],
  "function-tools": ["dropped", "Add a function node for each tool"],
  "tool-detail": ["dropped", "Make it a custom tool"],
  "function-without-tool": ["dropped", "Add a tool to the node"],
  "tool-url": ["dropped", 'Set "url" on the tool'],
  "tool-type": ["emulated", "Use one of Retell's tool types"],
  "tool-built-in": ["dropped", "Use one of Retell's tool types, or a setting of Retell's agent"],
  variables: ["dropped", "Move the variables to an extract node"],
  "extract-behind": ["emulated"],
  "variable-type": ["emulated", "Use string, number, boolean, or enum with choices"],
  "transition-description": ["dropped", "Move it to the condition"],
  "tool-condition": ["emulated", "Add a response variable to the tool, and route by an equation"],
  "no-edge": ["dropped", "Remove the transition, or put another node before it"],
  "edge-taken": ["dropped", "Remove the other transitions"],
  timing: ["emulated", 'Set the timing to "else"'],
  operator: ["dropped", "Use one of == != > >= < <= contains not_contains exists not_exist"],
  "go-back-kind": ["dropped", "Use an LLM condition"],
} as const satisfies LossTable<string>;

/** A code of {@link FLOW_LOSSES}. */
export type FlowLossCode = keyof typeof FLOW_LOSSES;

/** Settings of an LLM that a flow does not need, or has in another place. */
const NO_SETTINGS: readonly string[] = [
  ...RETELL_SERVER_KEYS,
  ...["general", "repeated", "begin_message", "model_high_priority"],
];

/** Reports settings of other platforms and of LLMs. */
export function reportForeignSettings(graph: AgentGraph, losses: Losses<"foreign-settings">): void {
  const lose = (path: Path, settings: JsonObject) => {
    for (const key of Object.keys(settings)) {
      const message = `Retell does not support settings of another platform: ${key}`;
      if (!NO_SETTINGS.includes(key) && settings[key] !== null)
        losses.add("foreign-settings", [...path, LLM_OWNER], message);
    }
  };
  loseForeignSettings(graph, losses);
  lose(["source_metadata"], recordAt(graph.source_metadata, LLM_OWNER));
  for (const { id, transitions } of Object.values(graph.nodes))
    for (const [index, transition] of transitions.entries())
      lose(["nodes", id, "transitions", index, "metadata"], llmKeys(transition));
}
