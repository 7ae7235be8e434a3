import { type JsonObject, omit, recordAt, records, sameJson } from "../../../src/base/values/mod.ts";
import { snippetUses } from "../../../src/document/expressions/mod.ts";
import type { AgentGraph } from "../../../src/document/graph/mod.ts";
import { expandSnippets, lower } from "../../lower/mod.ts";
import type { EmitOptions, PlainEmitted } from "../../platform.ts";
import type { ConversationFlowCreateParams } from "../generated/mod.ts";
import {
  bodyKeys,
  createLosses,
  dashboardAgent,
  EXPORT_KEYS,
  LLM_OWNER,
  type Losses,
  OWNER,
  putFields,
  textVariables,
  UNNAMED,
  withRequests,
} from "../shared/mod.ts";
import { sayBeginMessage } from "./begin_message.ts";
import { type FlowContext, partContext } from "./emit_context.ts";
import { writeFlowNode } from "./emit_node.ts";
import { ToolRegistry } from "./flow_tools.ts";
import { foldComponents, writeComponents } from "./fold_components.ts";
import { EdgeIds, idsIn } from "./ids.ts";
import { loseIgnored } from "./ignored_settings.ts";
import { FLOW_FIELDS } from "./import.ts";
import { layOutNodes } from "./layout.ts";
import { FLOW_LOSSES, type FlowLossCode, reportForeignSettings } from "./losses.ts";

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
  const folded = foldComponents(given);
  const graph = sayBeginMessage(folded.graph);
  const own = bodyKeys(graph);
  const losses = createLosses<FlowLossCode>(FLOW_LOSSES);
  const context: FlowContext = {
    foreign: graph.source_type !== "retell",
    losses,
    tools: new ToolRegistry(graph, own, before?.graph),
    edgeIds: new EdgeIds(idsIn(Object.values(given.nodes))),
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
  return { config: body as JsonObject & ConversationFlowCreateParams, losses: losses.all() };
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
