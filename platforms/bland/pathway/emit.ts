import type { Path } from "../../../src/base/errors.ts";
import { freeName, type JsonObject, Names, omit, own, recordAt, records } from "../../../src/base/values/mod.ts";
import { snippetUses } from "../../../src/document/expressions/mod.ts";
import { type AgentGraph, type AgentNode, agentName, isSilent } from "../../../src/document/graph/mod.ts";
import { foreignSettings, foreignToolSettings, holdsSetting } from "../../known/mod.ts";
import { expandSnippets, type LoweredTransition, lower, transitionPath } from "../../lower/mod.ts";
import type { PlainEmitted } from "../../platform.ts";
import { emitAgentV2 } from "./agent.ts";
import { createLosses, type Lose } from "./losses.ts";
import { isWrittenPill, type NewEdge, type WrittenExits, writeExits } from "./write_exits.ts";
import { lensIn, nameOf, ownOf, REQUEST, writeData } from "./write_node.ts";

/** Emits a graph as a pathway: its name, nodes and edges, as the API takes them. */
export function emitPathway(source: AgentGraph): PlainEmitted<JsonObject> {
  const agent = emitAgentV2(source);
  if (agent) return agent;
  const { lose, all } = createLosses();
  const given = lower(source, [expandSnippets]).graph;
  const graph = sayBeginMessage(given, lose);
  const ids = new Set(Object.keys(graph.nodes));
  const native = graph.source_type === "bland";
  const names = new Names(ids);
  const named = (id: string) => {
    const node = own(graph.nodes, id);
    return String(node ? nameOf(node) : id);
  };
  const context = { native, lose, nameOf: named, take: (id: string) => names.take(id) };
  const placeOf = layOut(graph);
  const edges: NewEdge[] = [];
  const nodes = Object.values(graph.nodes).flatMap((node) => {
    const exits = writeExits(node, context);
    edges.push(...exits.edges);
    const { type, data } = writeData(node, isWrittenPill(node), lose);
    const start = node.id === graph.entry_node_id ? { isStart: true } : {};
    const whole = { ...withExits(data, exits), ...start };
    if (!native) loseIgnored(["nodes", node.id, "metadata"], omit(ownOf(node), ["type", "destination"]), whole, lose);
    const position = { ...placeOf(node.id), ...recordAt(lensIn(node), "position") };
    const main = { id: node.id, type, position, data: whole };
    const below = exits.parts.map((part, index) => ({
      ...part,
      position: { x: position.x, y: position.y + (index + 1) * 80 },
    }));
    return [main, ...below];
  });
  reportLosses(source, given, lose);
  const { general_prompt: prompt } = graph.source_metadata;
  const settings = ownOf({ metadata: graph.source_metadata });
  const isTop = recordAt(settings, "lens").globalPrompt === "top";
  const entry = { globalConfig: { globalPrompt: prompt ?? "" }, position: { x: 0, y: 0 } };
  const config = {
    name: agentName(graph),
    ...omit(settings, ["lens", "call"]),
    ...(isTop && prompt ? { globalPrompt: prompt } : {}),
    nodes: [...nodes, ...(prompt && !isTop ? [entry] : [])],
    edges: writeEdges(edges),
  };
  if (!native) loseIgnored(["source_metadata"], omit(settings, ["call"]), config, lose);
  return { config, losses: all() };
}

/** Puts the exits of a node into its data. */
function withExits(data: JsonObject, { data: more, skips, toolRows }: WrittenExits): JsonObject {
  const options = skips ? { modelOptions: { ...recordAt(data, "modelOptions"), skipUserResponse: true } } : {};
  const rowsAt = (index: number) => toolRows.get(index) ?? [];
  const tools = records(data.tools).map((tool, index) => {
    const kept = Array.isArray(tool.responsePathways) ? tool.responsePathways : [];
    const rows = [...rowsAt(index), ...kept];
    if (rows.length === 0) return tool;
    const leads =
      rowsAt(index).length > 0 && tool.behavior === "feed_context" ? { behavior: "feed_context_and_route" } : {};
    return { ...tool, ...leads, responsePathways: rows };
  });
  return { ...data, ...(tools.length > 0 ? { tools } : {}), ...more, ...options };
}

/** Writes the edges in their order. The edges of a node that the document had keep their places among all edges. */
function writeEdges(edges: readonly NewEdge[]): readonly JsonObject[] {
  const bySource = new Map<string, NewEdge[]>();
  for (const edge of edges) bySource.set(edge.source, [...(bySource.get(edge.source) ?? []), edge]);
  const places = new Map<NewEdge, number>();
  for (const list of bySource.values()) {
    const free = list.flatMap(({ at }) => at ?? []).sort((a, b) => a - b);
    let last = free[0] === undefined ? Number.POSITIVE_INFINITY : free[0] - 0.5;
    for (const edge of list) {
      if (edge.at !== undefined) last = free.shift() ?? last;
      places.set(edge, last);
    }
  }
  const sorted = edges.map((edge, index) => ({ edge, index, place: places.get(edge) ?? 0 }));
  sorted.sort((a, b) => (a.place === b.place ? a.index - b.index : a.place < b.place ? -1 : 1));
  const claimed = new Set<unknown>();
  const ids = new Names(edges.flatMap(({ id }) => (typeof id === "string" ? [id] : [])));
  return sorted.map(({ edge }) => {
    const { source, target, id, words, place } = edge;
    const isFirst = id !== undefined && !claimed.has(id);
    if (id !== undefined && id !== null) claimed.add(id);
    const key = id === null ? {} : { id: isFirst ? id : ids.take(`${source}-${target}`) };
    if (words === undefined) return { ...key, source, target };
    const { label, ...more } = words;
    const inside = place === "top" ? more : words;
    return {
      ...key,
      ...{ source, target, type: "custom" },
      ...(place === undefined ? {} : { label }),
      ...(Object.keys(inside).length > 0 ? { data: inside } : {}),
    };
  });
}

const [COLUMN, ROW] = [320, 240];

/** Places nodes from top to bottom, by the number of steps from the start. Others, such as global nodes, are above it. */
function layOut(graph: AgentGraph): (id: string) => { readonly x: number; readonly y: number } {
  const rows = new Map<string, number>([[graph.entry_node_id, 0]]);
  for (const [id, row] of rows)
    for (const { target_node_id: to } of own(graph.nodes, id)?.transitions ?? [])
      if (!rows.has(to)) rows.set(to, row + 1);
  const counts = new Map<number, number>();
  const places = new Map<string, { readonly x: number; readonly y: number }>();
  for (const id of Object.keys(graph.nodes)) {
    const row = rows.get(id) ?? -1;
    const column = counts.get(row) ?? 0;
    counts.set(row, column + 1);
    places.set(id, { x: column * COLUMN, y: row * ROW });
  }
  return (id) => places.get(id) ?? { x: 0, y: 0 };
}

/** Says the begin message at a new first node with the exits of the entry node. */
function sayBeginMessage(graph: AgentGraph, lose: Lose): AgentGraph {
  const { begin_message: message, start_speaker: first, ...source } = graph.source_metadata;
  const isCallers = message === "" || first === "user";
  const path = ["source_metadata", "begin_message"];
  if (first) lose("start-speaker", ["source_metadata", "start_speaker"], `the ${first}`);
  if (message === "") lose("start-speaker", path, "the caller");
  if (message) lose(isCallers ? "start-speaker" : "begin-message", path, message);
  if (isCallers || !message) return { ...graph, source_metadata: source };
  const entry = own(graph.nodes, graph.entry_node_id);
  const exits = entry?.node_type === "conversation" ? entry.transitions : [];
  const copies = exits.flatMap((each, index): readonly LoweredTransition[] =>
    entry && each.condition.type !== "tool_call"
      ? [{ ...each, metadata: null, madeFrom: transitionPath(entry, index) }]
      : [],
  );
  const timing = !entry || isSilent(entry) ? ("skip_response" as const) : ("else" as const);
  const always = { type: "always", value: "" } as const;
  const onward: LoweredTransition = { target_node_id: graph.entry_node_id, condition: always, timing, madeFrom: path };
  const id = freeName("begin_message", (name) => Object.hasOwn(graph.nodes, name));
  const node: AgentNode = {
    ...{ id, node_type: "conversation", state_prompt: message, instruction_type: "static_text", metadata: {} },
    ...{ tools: [], variables_to_extract: [] },
    transitions: copies.some(({ condition }) => condition.type === "always") ? copies : [...copies, onward],
  };
  const nodes = Object.fromEntries([[id, node], ...Object.entries(graph.nodes)]);
  return { ...graph, nodes, entry_node_id: id, source_metadata: source };
}

/** Reports what pathways do not have. */
function reportLosses(source: AgentGraph, graph: AgentGraph, lose: Lose): void {
  const { default_dynamic_variables: variables } = graph.source_metadata;
  for (const [name, value] of Object.entries(variables ?? {}))
    lose(
      "call-variables",
      ["source_metadata", "default_dynamic_variables", name],
      `${name} = ${JSON.stringify(value)}`,
    );
  for (const [key, value] of Object.entries(recordAt(ownOf({ metadata: graph.source_metadata }), "call")))
    lose(
      "voice",
      ["source_metadata", ...(key === "voice" ? [] : ["bland", "call"]), key],
      `${key} ${JSON.stringify(value)}`,
    );
  const used = new Set(snippetUses(source).map(({ name }) => name));
  for (const name of Object.keys(source.snippets))
    lose(used.has(name) ? "snippet" : "snippet-unused", ["snippets", name], `"${name}"`);
  const foreign = [...foreignSettings(graph, ["bland"]), ...foreignToolSettings(graph, ["bland"], REQUEST)];
  for (const { path, names } of foreign) lose("foreign-settings", path, names.join(", "));
}

/** Reports settings in the `bland` option that are not sent, because the flow itself says something else. */
function loseIgnored(path: Path, settings: JsonObject, sent: JsonObject, lose: Lose): void {
  for (const [key, value] of Object.entries(settings))
    if (!holdsSetting(sent[key], value)) lose("setting-ignored", [...path, "bland", key], `"${key}"`);
}
