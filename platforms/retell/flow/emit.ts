import { freeName, type JsonObject, omit, own, recordAt, records, sameJson } from "../../../src/base/values/mod.ts";
import { snippetUses } from "../../../src/document/expressions/mod.ts";
import type { AgentGraph, AgentNode } from "../../../src/document/graph/mod.ts";
import { holdsSetting } from "../../known/mod.ts";
import {
  expandSnippets,
  extractBehind,
  type LoweredTransition,
  lossesAtOrigins,
  lower,
  transitionPath,
} from "../../lower/mod.ts";
import type { EmitOptions, PlainEmitted } from "../../platform.ts";
import type { ConversationFlowCreateParams } from "../generated/mod.ts";
import {
  bodyKeys,
  createLosses,
  dashboardAgent,
  EXPORT_KEYS,
  isString,
  LLM_OWNER,
  type Losses,
  OWNER,
  ownKeys,
  putFields,
  requiredDefaults,
  retellTables,
  textVariables,
  UNNAMED,
  VARIABLE_FIELDS,
  withRequests,
} from "../shared/mod.ts";
import { COMPONENT_KEY, foldComponents, writeComponents } from "./components.ts";
import { writeEdges, writeExamples, writeGlobalSetting } from "./edges.ts";
import { FLOW_FIELDS } from "./import.ts";
import { BASE_TYPES, canonicalType, type TypeFacts, typeFactsOf } from "./node_types.ts";
import {
  EdgeIds,
  FLOW_LOSSES,
  type FlowContext,
  type FlowLossCode,
  hasTools,
  idsIn,
  layOutNodes,
  loseStandIn,
  partContext,
  reportForeignSettings,
  ToolRegistry,
  writeNodeTools,
} from "./tools.ts";

/** Default model of a flow: the most common one in the dashboard's exports. */
const DEFAULT_MODEL = "gpt-4.1";

/** Emits a graph as a conversation flow in an agent, as the dashboard exports and imports it. */
export function emitRetell(graph: AgentGraph, _options?: EmitOptions, imported?: AgentGraph): PlainEmitted<JsonObject> {
  const { config, losses } = emitFlow(graph, imported);
  const { version = 0, conversation_flow_id = "" }: JsonObject = { ...config };
  const engine = { type: "conversation-flow", version, conversation_flow_id };
  return { config: { ...dashboardAgent(graph, engine, UNNAMED.flow), [EXPORT_KEYS.flow]: config }, losses };
}

/** Emits a graph as the body of an API request. */
export function emitFlow(source: AgentGraph, imported?: AgentGraph): PlainEmitted<ConversationFlowCreateParams> {
  const before = imported && foldComponents(imported);
  const given = withRequests(lower(source, [expandSnippets]).graph);
  const foreign = given.source_type !== OWNER;
  const extracts = ({ node_type: type, variables_to_extract: variables }: AgentNode) =>
    type === "conversation" && variables.length > 0;
  const isMoved = foreign && Object.values(given.nodes).some(extracts);
  const behind = isMoved ? extractBehind(given) : undefined;
  const folded = foldComponents(behind?.graph ?? given);
  const graph = sayBeginMessage(folded.graph);
  const own = bodyKeys(graph);
  const losses = createLosses<FlowLossCode>(FLOW_LOSSES);
  const reason = "Only extract nodes extract variables at Retell";
  for (const path of behind?.moved ?? [])
    losses.add("extract-behind", path, reason, "an extract node before the next node");
  const context: FlowContext = {
    foreign,
    losses,
    tools: new ToolRegistry(graph, own, before?.graph),
    edgeIds: new EdgeIds(idsIn(Object.values((behind?.graph ?? given).nodes))),
    positionOf: layOutNodes(graph),
  };
  const part = writePart(graph, context);
  const all = records(own.components);
  const runs = folded.folds.map((fold) => {
    const component = all[fold.index] ?? {};
    const partBefore = before?.folds.find(({ id }) => id === fold.id)?.part;
    const written = writePart(fold.part, partContext(fold, component, context, partBefore));
    return { ...fold, body: { ...component, ...written }, isAsImported: sameJson(fold.part.nodes, partBefore?.nodes) };
  });
  const { components, renamed } = writeComponents(all, runs);
  reportFlowLosses(source, given, folded.open, losses);
  const nodes = part.nodes.map((node) => ({ ...node, ...renamed.get(node.id) }));
  const { default_dynamic_variables: variables } = graph.source_metadata;
  const texts = context.foreign && variables ? { default_dynamic_variables: textVariables(variables) } : {};
  const settings = omit(context.foreign ? forFlow(own, context) : own, ["components"]);
  const body: JsonObject = {
    start_speaker: "agent",
    ...putFields({ ...graph.source_metadata, ...texts }, FLOW_FIELDS, settings),
    ...writeModel(graph, own, context.foreign),
    ...part,
    nodes,
    ...(components.length > 0 ? { components } : {}),
  };
  loseIgnored(graph, body, losses);
  // the parts are typed, except for imported keys, which can be anything
  return {
    config: body as JsonObject & ConversationFlowCreateParams,
    losses: behind ? lossesAtOrigins(losses.all(), behind.origins) : losses.all(),
  };
}

/** Emits the shared parts of flows and components: nodes, tools and the start node. */
function writePart(graph: AgentGraph, context: FlowContext) {
  const nodes = Object.values(graph.nodes).map((node) => writeFlowNode(node, context));
  return { ...context.tools.all(), start_node_id: graph.entry_node_id, nodes };
}

/** Reports losses of the whole flow. */
function reportFlowLosses(
  source: AgentGraph,
  lowered: AgentGraph,
  open: readonly string[],
  losses: Losses<FlowLossCode>,
): void {
  if (lowered.source_metadata.begin_message) {
    const message = "Conversation flows do not support a begin message";
    const instead = "a first node that says it, with the transitions of the entry node";
    losses.add("begin-message", ["source_metadata", "begin_message"], message, instead);
  }
  for (const id of open) {
    const message = "A component can only be entered at its start node and left at its end nodes";
    losses.add("component", ["nodes", id], message, "its nodes, as nodes of the flow");
  }
  const used = new Set(snippetUses(source).map(({ name }) => name));
  for (const name of Object.keys(source.snippets)) {
    const path = ["snippets", name];
    const instead = "the snippet's text in each prompt that uses it";
    if (used.has(name)) losses.add("snippet", path, `Retell does not support snippets: "${name}"`, instead);
    else losses.add("snippet-unused", path, `Retell has no snippets, and no prompt uses this one: "${name}"`);
  }
  reportForeignSettings(lowered, losses);
}

/** Removes settings that only LLMs support. Knowledge base settings may be null only in an LLM. */
function forFlow(own: JsonObject, { losses }: FlowContext): JsonObject {
  const { kb_config: config, s2s_model: speech } = own;
  const message = `Conversation flows do not support speech-to-speech models: "${String(speech)}"`;
  const instead = "the flow's model, or Retell's default";
  if (speech) losses.add("s2s-model", ["source_metadata", OWNER, "s2s_model"], message, instead);
  return omit(own, ["s2s_model", ...(config === null ? ["kb_config"] : [])]);
}

function writeModel(graph: AgentGraph, own: JsonObject, foreign: boolean): JsonObject {
  const model = graph.default_model ?? undefined;
  if (model === undefined && Object.hasOwn(own, "model_choice")) return {};
  if (model === undefined) return { model_choice: { type: "cascading", model: DEFAULT_MODEL } };
  const hasPriority = foreign && recordAt(graph.source_metadata, LLM_OWNER).model_high_priority === true;
  const priority = hasPriority ? { high_priority: true } : {};
  return { model_choice: { type: "cascading", ...priority, ...recordAt(own, "model_choice"), model } };
}

/** Writes a node: the values of the graph, then the node's own keys, then Retell's defaults. */
function writeFlowNode(node: AgentNode, context: FlowContext): JsonObject {
  const own = omit(ownKeys(node), [COMPONENT_KEY]);
  const type = typeOf(node, own);
  const facts = typeFactsOf(type, node.node_type === "conversation");
  const variables = type === BASE_TYPES.extract ? writeVariables(node, context) : [];
  const setting = node.global_node_setting;
  const written: JsonObject = {
    ...defaultsOf(node, type, context),
    ...own,
    ...writeExamples(node),
    id: node.id,
    type,
    ...writeInstruction(node, facts, context),
    ...writeSpeaking(node, own),
    ...writeNodeTools(node, type, context),
    ...writeEdges(node, facts, context),
    ...(variables.length > 0 ? { variables } : {}),
    ...(setting ? { global_node_setting: writeGlobalSetting(setting, node.id, context) } : {}),
  };
  loseParts(node, facts, type, context);
  loseStandIn(node, type, written, context);
  return written;
}

/** Returns the imported type of a node if it still fits the node. */
function typeOf(node: AgentNode, { type }: JsonObject): string {
  const isUsable = isString(type) && type !== "";
  if (isUsable && typeFactsOf(type, node.node_type === "conversation").node_type === node.node_type) return type;
  return canonicalType(node);
}

/** Returns the defaults of keys that the type requires. A node with a tool of its own has the tool's name. */
function defaultsOf({ id, tools }: AgentNode, type: string, context: FlowContext): JsonObject {
  const table = own(retellTables().nodes, type);
  if (!table) return {};
  const name = type === "code" || type === "sms" ? (tools[0]?.name ?? id) : id;
  return {
    ...{ id, name, display_position: context.positionOf(id), type },
    ...requiredDefaults(table),
    ...(table.keys.includes("wait_for_result") ? { speak_during_execution: false } : {}),
  };
}

function writeInstruction(node: AgentNode, facts: TypeFacts, { foreign }: FlowContext): JsonObject {
  const text = node.state_prompt;
  if (facts.instruction.length === 0 || (text === "" && !facts.speaks)) return {};
  const wanted = node.instruction_type === "static_text" ? "static_text" : "prompt";
  // a document can have a type that Retell's SDK does not list
  return { instruction: { type: !foreign || facts.instruction.includes(wanted) ? wanted : "prompt", text } };
}

/** An end or a transfer with a prompt speaks. */
function writeSpeaking({ node_type: type, state_prompt: text }: AgentNode, own: JsonObject): JsonObject {
  const { speak_during_execution: speaks = false } = own;
  const isSilent = text === "" || (type !== "end" && type !== "transfer");
  return isSilent || speaks !== false ? {} : { speak_during_execution: true };
}

/** Writes the variables of an extract node. Types of other platforms become `string`, as in calls. */
function writeVariables(node: AgentNode, { foreign, losses }: FlowContext): JsonObject[] {
  return node.variables_to_extract.map((variable, index) => {
    const isChoosable = variable.type !== "enum" || (variable.choices ?? []).length > 0;
    const isKnown = isChoosable && retellTables().variable_types.includes(variable.type);
    if (isKnown || !foreign) return putFields(variable, VARIABLE_FIELDS);
    const type = variable.type === "integer" ? "number" : "string";
    const path = ["nodes", node.id, "variables_to_extract", index, "type"];
    const message = "Retell extracts only texts, numbers, booleans and choices";
    losses.add("variable-type", path, message, "a number for an integer, a text for anything else");
    return putFields({ ...variable, type }, VARIABLE_FIELDS);
  });
}

/** Reports the parts of a node that Retell does not support for its type. */
function loseParts(node: AgentNode, facts: TypeFacts, type: string, context: FlowContext): void {
  const { losses, foreign } = context;
  const path = ["nodes", node.id];
  const hasWords = facts.instruction.length > 0;
  const isStatic = foreign && node.instruction_type === "static_text";
  if (node.state_prompt !== "" && !hasWords)
    losses.add("node-prompt", [...path, "state_prompt"], "This type of node has no instruction at Retell");
  if (isStatic && hasWords && !facts.instruction.includes("static_text")) {
    const message = "This type of node has no static text";
    losses.add("static-text", [...path, "instruction_type"], message, "the text as a prompt");
  }
  if (node.variables_to_extract.length > 0 && type !== BASE_TYPES.extract)
    losses.add("variables", [...path, "variables_to_extract"], "Only extract nodes extract variables at Retell");
  if (facts.node_type === "function" && node.tools.length === 0 && !Object.hasOwn(ownKeys(node), "tool_id")) {
    const instead = type === "function" ? "a function node that Retell rejects" : `the ${type} node, which still works`;
    losses.add("function-without-tool", path, "A function node needs a tool", instead);
  }
  if (facts.node_type === "function" && node.tools.length > 1)
    losses.add("function-tools", [...path, "tools"], "A function node runs one tool", "its first tool");
  if (!hasTools(type) && node.tools.length > 0)
    losses.add("node-tools", [...path, "tools"], "Only conversation and function nodes have tools at Retell");
}

/**
 * Moves the begin message, which flows do not support, to a new first node. The node has the transitions of the entry
 * node; if none of them applies to the caller's answer, it leads to the entry node, which replies.
 *
 * @returns The graph itself if it has no begin message.
 */
function sayBeginMessage(graph: AgentGraph): AgentGraph {
  const { begin_message: message, ...source } = graph.source_metadata;
  if (message === "" || (message && source.start_speaker === "user"))
    return { ...graph, source_metadata: { ...source, start_speaker: "user" } }; // the caller speaks first, so there is no message
  if (!message) return graph;
  const entry = own(graph.nodes, graph.entry_node_id);
  const exits = entry?.node_type === "conversation" ? entry.transitions : [];
  const copies = exits.map(({ metadata: _, ...transition }, index): LoweredTransition => {
    return { ...transition, madeFrom: entry && transitionPath(entry, index) };
  });
  if (!copies.some(({ condition }) => condition.type === "always"))
    copies.push({
      ...{ target_node_id: graph.entry_node_id, condition: { type: "always", value: "" }, timing: "else" },
      madeFrom: ["source_metadata", "begin_message"],
    });
  const id = freeName("begin_message", (name) => Object.hasOwn(graph.nodes, name));
  const node: AgentNode = {
    ...{ id, node_type: "conversation", state_prompt: message, instruction_type: "static_text" },
    ...{ tools: [], transitions: copies, variables_to_extract: [], metadata: {} },
  };
  const nodes = Object.fromEntries([[id, node], ...Object.entries(graph.nodes)]);
  return { ...graph, nodes, entry_node_id: id, source_metadata: source };
}

/** Keys of an edge that are made of the transition. */
const EDGE_KEYS = ["destination_node_id", "transition_condition"];

/** Reports settings in the `retell` option that are not in what is sent, because the flow itself says something else. */
function loseIgnored(graph: AgentGraph, body: JsonObject, { add }: Losses<"setting-ignored">): void {
  const compare = (path: readonly (string | number)[], settings: JsonObject, sent: JsonObject) => {
    for (const [key, value] of Object.entries(settings))
      if (!holdsSetting(sent[key], value))
        add("setting-ignored", [...path, OWNER, key], `Retell gets another "${key}", which the flow itself says`);
  };
  compare(["source_metadata"], omit(bodyKeys(graph), ["components", "s2s_model"]), body);
  const nodes = new Map(records(body.nodes).map((node) => [String(node.id), node]));
  for (const { id, metadata, transitions } of Object.values(graph.nodes)) {
    const [sent, path] = [nodes.get(id), ["nodes", id]];
    if (sent) compare([...path, "metadata"], omit(recordAt(metadata, OWNER), [COMPONENT_KEY, "type"]), sent);
    for (const [index, { metadata: edge }] of transitions.entries()) {
      const own = Object.entries(recordAt(edge ?? {}, OWNER)).filter(([key]) => EDGE_KEYS.includes(key));
      compare([...path, "transitions", index, "metadata"], Object.fromEntries(own), {});
    }
  }
}
