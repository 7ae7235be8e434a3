import type { ConversationFlowCreateParams } from "retell-sdk/resources/conversation-flow";
import type { AgentGraph } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit, sameJson } from "../../../src/values/mod.ts";
import { lower, snippetUses } from "../../lower/mod.ts";
import type { EmitOptions, Loss, PlainEmitted } from "../../platform.ts";
import { bodyKeys, dashboardAgent, EXPORT_KEYS, FLOW_PASSES, OWNER, ownAgent } from "../shared/mod.ts";
import { sayBeginMessage } from "./begin_message.ts";
import { createContext, type EmitContext, partContext } from "./emit_context.ts";
import { writeNode } from "./emit_node.ts";
import { putFields } from "./fields.ts";
import { writeFlowTools } from "./flow_tools.ts";
import { type Fold, foldComponents } from "./fold_components.ts";
import { idsIn } from "./ids.ts";
import { FLOW_FIELDS } from "./import.ts";
import { loss } from "./losses.ts";
import { hadPriority, settingsLosses } from "./settings_losses.ts";
import { writeComponents } from "./write_components.ts";

/** Model names that were current when this was written; the platform adds and retires them faster than its SDK. */
type ModelName = ConversationFlowCreateParams["model_choice"]["model"];

/** The model that a flow without one is given: the one that most exports of the dashboard name. */
const DEFAULT_MODEL = "gpt-4.1";

/** Writes a graph as a conversation flow in an agent, as the dashboard exports and imports it. */
export function emitRetell(graph: AgentGraph, _options?: EmitOptions, imported?: AgentGraph): PlainEmitted<JsonObject> {
  const { config, losses } = emitFlow(graph, imported);
  const agent = dashboardAgent(config, graph.source_metadata.name, ownAgent(graph));
  return { config: { ...agent, [EXPORT_KEYS.flow]: config }, losses };
}

/** Writes a graph as the body that Retell's API takes. */
export function emitFlow(source: AgentGraph, imported?: AgentGraph): PlainEmitted<ConversationFlowCreateParams> {
  const before = imported && foldComponents(imported);
  const partsBefore = new Map(before?.folds.map(({ id, part }) => [id, part]));
  const given = lower(source, FLOW_PASSES).graph;
  const folded = foldComponents(given);
  const graph = sayBeginMessage(folded.graph);
  const losses: Loss[] = [];
  const context = createContext(
    graph,
    (found) => losses.push(found),
    idsIn(Object.values(given.nodes)),
    bodyKeys(graph),
    before?.graph,
  );
  if (given.source_metadata.begin_message) context.lose(loss("begin-message", ["source_metadata", "begin_message"]));
  for (const id of folded.open) context.lose(loss("component", ["nodes", id]));
  const own = bodyKeys(graph);
  const part = writePart(graph, own, context);
  const writeFold = (fold: Fold, ownPart: JsonObject) => {
    const inner = partContext(fold, ownPart, context, partsBefore.get(fold.id));
    return { ...ownPart, ...writePart(fold.part, ownPart, inner) };
  };
  const isAsImported = ({ id, part }: Fold) => sameJson(part.nodes, partsBefore.get(id)?.nodes);
  const { components, renamed } = writeComponents(folded.folds, own, writeFold, isAsImported);
  const nodes = part.nodes.map((node) =>
    renamed.has(node.id) ? { ...node, component_id: renamed.get(node.id) } : node,
  );
  const view = { ...graph.source_metadata, ...(context.foreign ? textVariables(graph) : {}) };
  const body: JsonObject = {
    start_speaker: "agent",
    ...putFields(view, FLOW_FIELDS, omit(context.foreign ? forFlow(own, context) : own, ["components"])),
    ...writeModel(graph, own, context),
    ...part,
    nodes,
    ...(components.length > 0 ? { components } : {}),
  };
  const used = new Set(snippetUses(source).map(({ name }) => name));
  for (const name of Object.keys(source.snippets))
    context.lose(loss(used.has(name) ? "snippet" : "snippet-unused", ["snippets", name], `"${name}"`));
  settingsLosses(given, context.lose);
  // the parts are typed; what an import kept is as open as the platform itself
  return { config: body as JsonObject & ConversationFlowCreateParams, losses };
}

/** What flows and components have in common: nodes, tools and where it starts. */
function writePart(graph: AgentGraph, own: JsonObject, context: EmitContext) {
  const nodes = Object.values(graph.nodes).map((node) => writeNode(node, context));
  return { ...writeFlowTools(context.tools.used, own), start_node_id: graph.entry_node_id, nodes };
}

/** Settings without those that only an LLM has. Its knowledge base settings may be null, a flow's may only be absent. */
function forFlow(own: JsonObject, { lose }: EmitContext): JsonObject {
  const { kb_config: config, s2s_model: speech } = own;
  if (speech) lose(loss("s2s-model", ["source_metadata", OWNER, "s2s_model"], `"${String(speech)}"`));
  return omit(own, ["s2s_model", ...(config === null ? ["kb_config"] : [])]);
}

/** Retell's variables are texts. */
function textVariables({ source_metadata: { default_dynamic_variables: variables } }: AgentGraph): JsonObject {
  if (!variables) return {};
  const texts = Object.entries(variables).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return { default_dynamic_variables: Object.fromEntries(texts) };
}

function writeModel(graph: AgentGraph, own: JsonObject, { foreign }: EmitContext): JsonObject {
  const choice = isRecord(own.model_choice) ? own.model_choice : {};
  const name = graph.default_model ?? undefined;
  if (name === undefined)
    return Object.hasOwn(own, "model_choice") ? {} : { model_choice: { type: "cascading", model: DEFAULT_MODEL } };
  const model = foreign ? name.replace(/^[\w-]+\//, "") : name;
  const priority = foreign && hadPriority(graph) ? { high_priority: true } : {};
  return { model_choice: { type: "cascading", ...priority, ...choice, model: model as ModelName } }; // an open set: see ModelName
}
