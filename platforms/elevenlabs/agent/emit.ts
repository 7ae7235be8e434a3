import type { Path } from "../../../src/base/errors.ts";
import {
  canonicalJson,
  freeName,
  isRecord,
  type JsonObject,
  mergeJson,
  omit,
  own,
  recordAt,
} from "../../../src/base/values/mod.ts";
import { isUnread, snippetUses, UNREAD_CODES, unreadParts } from "../../../src/document/expressions/mod.ts";
import type { AgentGraph } from "../../../src/document/graph/mod.ts";
import { foreignSettings, foreignToolSettings } from "../../known/mod.ts";
import {
  expandSnippets,
  extractBehind,
  type LoweredGraph,
  lossesAtOrigins,
  lower,
  multiplyGlobals,
} from "../../lower/mod.ts";
import type { EmitOptions, PlainEmitted } from "../../platform.ts";
import { lensOf, OWNER, REQUEST, settingsOf } from "../traits/mod.ts";
import { writeEdges } from "./edges.ts";
import { ElevenLabsLosses } from "./losses.ts";
import { withGoBacks, withSpokenEnds } from "./lowering.ts";
import { entryBehaviors, SINGLE_NODE, typeOf, typesOfVariables } from "./nodes.ts";
import { ToolBook } from "./tool_book.ts";
import { type WorkflowContext, writeNode } from "./write_node.ts";

/** Emits a graph as an agent of ElevenLabs. */
export function emitElevenLabs(
  source: AgentGraph,
  _options?: EmitOptions,
  imported?: AgentGraph,
): PlainEmitted<JsonObject> {
  const losses = new ElevenLabsLosses();
  const isNative = source.source_type === OWNER;
  reportParts(source, losses);
  const { graph: plain } = lower(source, [expandSnippets]);
  const { graph: behind, origins, moved } = extractBehind(plain, !isNative);
  const reason = "Only update_state nodes set variables";
  for (const path of moved) losses.add("extract-behind", path, reason, "such a node before the next node");
  const globals = lower(behind, [multiplyGlobals]).graph;
  const graph = withSpokenEnds(withGoBacks(globals, losses), losses);
  const settings = settingsOf(source.source_metadata);
  const book = new ToolBook(graph, isNative, losses, imported);
  const isSingle = isSingleNode(graph);
  const workflow = isSingle ? startOnly(graph) : workflowOf(graph, { losses, isNative, book, given: source.nodes });
  if (isSingle)
    for (const [index, tool] of (graph.nodes[SINGLE_NODE]?.tools ?? []).entries())
      book.addGeneral(tool, ["nodes", SINGLE_NODE, "tools", index]);
  const config = configOf(graph, book, settings, losses);
  const { name } = source.source_metadata;
  const common = recordAt(settings, "agent");
  const rest = omit(settings, ["conversation_config", "workflow", "start_node", "agent", "name"]);
  const inAgent = omit(common, ["language", "voice_id"]);
  return {
    config: {
      ...(name ? { name } : {}),
      ...rest,
      ...(Object.keys(inAgent).length > 0 ? { agent: inAgent } : {}),
      conversation_config: config,
      ...(workflow ? { workflow } : {}),
    },
    losses: lossesAtOrigins(losses.all(), origins),
  };
}

/** Reports what no call reads, snippets, and settings of other platforms. */
function reportParts(graph: AgentGraph, losses: ElevenLabsLosses): void {
  const unread = unreadParts(graph, UNREAD_CODES);
  for (const { code, path, message } of unread) losses.add(code, path, message);
  for (const { path } of snippetUses(graph))
    if (!isUnread(path, unread)) losses.add("snippet", path, "ElevenLabs has no snippets", "the snippet's text");
  for (const { id, global_node_setting: setting } of Object.values(graph.nodes)) {
    const path = ["nodes", id, "global_node_setting"];
    if (setting && !isUnread(path, unread))
      losses.add("global-node", path, "ElevenLabs has no global nodes", "an edge from every conversation node");
  }
  for (const { path, names } of foreignSettings(graph, [OWNER]))
    losses.add(
      "foreign-settings",
      path,
      `ElevenLabs does not support settings of another platform: ${names.join(", ")}`,
    );
  for (const { path, names, tool } of foreignToolSettings(graph, [OWNER], REQUEST))
    losses.add(
      "foreign-settings",
      path,
      `ElevenLabs does not support settings of the tool "${tool.name}": ${names.join(", ")}`,
    );
}

/** Whether a graph is an agent with one prompt, which needs no workflow. */
function isSingleNode({ nodes, entry_node_id: entry, source_metadata: source }: LoweredGraph): boolean {
  const [node, ...others] = Object.values(nodes);
  if (!node || others.length > 0 || node.id !== SINGLE_NODE || entry !== SINGLE_NODE) return false;
  const isBare = Object.keys(settingsOf(node.metadata)).length === 0 && node.transitions.length === 0;
  const isPlain = node.node_type === "conversation" && node.instruction_type !== "static_text";
  const opens = source.begin_message != null || source.start_speaker === "user";
  return isBare && isPlain && opens && node.state_prompt === "" && node.variables_to_extract.length === 0;
}

const START = { type: "start", position: { x: 0, y: 0 }, edge_order: [] };

/** An imported agent keeps its workflow, even if only its start is left. */
function startOnly({ source_metadata: source }: AgentGraph): JsonObject | undefined {
  if (lensOf(source).workflow !== true) return undefined;
  return { ...recordAt(settingsOf(source), "workflow"), nodes: { start_node: START }, edges: {} };
}

/** Writes `conversation_config`: values of the graph, and the settings for ElevenLabs. */
function configOf(graph: AgentGraph, book: ToolBook, settings: JsonObject, losses: ElevenLabsLosses): JsonObject {
  const { source_metadata: source, source_type: origin, default_model: model } = graph;
  const given = recordAt(settings, "conversation_config");
  const { language, voice_id: voice } = recordAt(settings, "agent");
  const {
    begin_message: begin,
    start_speaker: speaker,
    general_prompt: general,
    default_dynamic_variables: variables,
  } = source;
  const silent = "An empty first message already says that the caller speaks first";
  if (begin === "" && speaker)
    losses.add("opening", ["source_metadata", "start_speaker"], silent, "an empty first message");
  const said: JsonObject = {
    agent: {
      first_message: speaker === "user" ? "" : (begin ?? ""),
      ...(variables
        ? { dynamic_variables: { dynamic_variable_placeholders: placeholders(variables, origin, losses) } }
        : {}),
      prompt: { ...(general == null ? {} : { prompt: general }), ...(model ? { llm: model } : {}), ...book.base() },
    },
  };
  const common = {
    ...(language === undefined ? {} : { agent: { language } }),
    ...(voice === undefined ? {} : { tts: { voice_id: voice } }),
  };
  // in code, the elevenlabs option takes precedence; in an imported agent, the edited language and voice do
  const around = origin === OWNER ? mergeJson(given, common) : mergeJson(common, given);
  const config = mergeJson(around, said);
  loseIgnored(mergeJson(common, given), config, losses);
  return config;
}

/** Reports settings that are not in what is written, because the flow itself says something else. */
function loseIgnored(settings: JsonObject, written: JsonObject, losses: ElevenLabsLosses, path: Path = []): void {
  for (const [key, value] of Object.entries(settings)) {
    const other = own(written, key);
    if (isRecord(value) && isRecord(other)) loseIgnored(value, other, losses, [...path, key]);
    else if (canonicalJson(value) !== canonicalJson(other))
      losses.add(
        "setting-ignored",
        ["source_metadata", OWNER, "conversation_config", ...path, key],
        `ElevenLabs gets another "${key}", which the flow itself says`,
      );
  }
}

function placeholders(variables: JsonObject, origin: string, losses: ElevenLabsLosses): JsonObject {
  const isValue = (value: unknown) => ["string", "number", "boolean"].includes(typeof value);
  const entries = Object.entries(variables).map(([name, value]) => {
    if (isValue(value) || origin === OWNER) return [name, value];
    const text = JSON.stringify(value) ?? "null";
    losses.add(
      "variable-as-text",
      ["source_metadata", "default_dynamic_variables", name],
      "ElevenLabs' variables are texts, numbers or booleans",
      text,
    );
    return [name, text];
  });
  return Object.fromEntries(entries);
}

/** `given`: the nodes before others were made of them. */
type OpenWorkflow = WorkflowContext & { readonly given: AgentGraph["nodes"] };

function workflowOf(graph: LoweredGraph, context: OpenWorkflow): JsonObject {
  const settings = settingsOf(graph.source_metadata);
  const lens = lensOf(graph.source_metadata);
  const isStart = typeOf(graph.nodes[graph.entry_node_id]) === "start";
  const isTaken = (id: string) => Object.hasOwn(graph.nodes, id);
  const start = freeName(typeof lens.start === "string" ? lens.start : "start_node", isTaken, { joint: "_" });
  const startEdge = typeof lens.start_edge === "string" ? lens.start_edge : `${start}_to_${graph.entry_node_id}`;
  const behaviors = entryBehaviors(graph);
  const all = Object.values(graph.nodes).map((node, index) => {
    // a new node gets a place of its own on the canvas
    const position = { x: 320 * (1 + (index % 6)), y: 200 * Math.floor(index / 6) };
    const { behavior, isMixed } = behaviors.get(node.id) ?? { behavior: "auto", isMixed: false };
    if (isMixed) {
      const message = `A call enters "${node.id}" both to speak and to wait for the caller`;
      // a node that speaks before an end was made of it
      const [{ target_node_id: end = "" } = {}] = node.transitions;
      const id = Object.hasOwn(context.given, node.id) ? node.id : end;
      context.losses.add("entry-behavior", ["nodes", id], message, `"${behavior}" for all`);
    }
    return [node.id, writeNode(node, { ...context, position, behavior })] as const;
  });
  const { begin_message: begin, start_speaker: speaker } = graph.source_metadata;
  const isSet = Boolean(speaker) || typeof begin === "string";
  const at = ["source_metadata", speaker ? "start_speaker" : "begin_message"];
  const message = `Only a subagent waits or speaks first, and the first node "${graph.entry_node_id}" is none`;
  if (isSet && typeOf(graph.nodes[graph.entry_node_id]) !== "override_agent")
    context.losses.add("opening", at, message, "a first node that goes on at once");
  const bare = Object.fromEntries(all);
  const types = context.isNative ? {} : { typeOf: typesOfVariables(graph) };
  const { edges, orders } = writeEdges(graph, { ...context, nodes: bare, taken: isStart ? [] : [startEdge], ...types });
  const nodes = all.map(([id, node]) => [id, { ...node, edge_order: orders.get(id) ?? [] }] as const);
  const startNode = { ...START, edge_order: [startEdge], ...recordAt(settings, "start_node") };
  const entry = { source: start, target: graph.entry_node_id, forward_condition: { type: "unconditional" } };
  return {
    ...recordAt(settings, "workflow"),
    nodes: { ...(isStart ? {} : { [start]: startNode }), ...Object.fromEntries(nodes) },
    edges: { ...(isStart ? {} : { [startEdge]: entry }), ...edges },
  };
}
