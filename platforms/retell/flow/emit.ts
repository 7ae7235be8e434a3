import type { ConversationFlowCreateParams } from "retell-sdk/resources/conversation-flow";
import type { AgentGraph, AgentNode } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit } from "../../../src/values/mod.ts";
import type { Loss, PlainEmitted } from "../../platform.ts";
import {
  closeContainer,
  dashboardAgent,
  type Kept,
  kept,
  OWNER,
  ownAgent,
  readContainer,
  wasAbsent,
} from "../shared/mod.ts";
import { sayBeginMessage } from "./begin_message.ts";
import { createContext, type EmitContext, partContext } from "./emit_context.ts";
import { writeNode } from "./emit_node.ts";
import type { RetellNode } from "./empty_node.ts";
import { putFields } from "./fields.ts";
import { writeFlowTools } from "./flow_tools.ts";
import { foldComponents } from "./fold_components.ts";
import { idsIn } from "./ids.ts";
import { FLOW_FIELDS } from "./import.ts";
import { loss } from "./losses.ts";
import { entryOf } from "./read_body.ts";
import { hadPriority, settingsLosses } from "./settings_losses.ts";
import { writeComponents } from "./write_components.ts";

/** Model names that were current when this was written; the platform adds and retires them faster than its SDK. */
type ModelName = ConversationFlowCreateParams["model_choice"]["model"];

/** The model that a flow without one is given: the one that most exports of the dashboard name. */
export const DEFAULT_MODEL = "gpt-4.1";

/** Writes a graph as a conversation flow, in the container it came in; from code, as a dashboard export. */
export function emitRetell(graph: AgentGraph): PlainEmitted<unknown> {
  const { config, losses } = emitFlow(graph);
  const { lens } = kept(graph.source_metadata);
  const agent = ownAgent(graph);
  const { name } = graph.source_metadata;
  if (lens.kind === undefined)
    return { config: closeContainer({ key: "conversationFlow" }, config, dashboardAgent(config, name, agent)), losses };
  return { config: closeContainer(readContainer(lens.container) ?? {}, config, agent), losses };
}

/** Writes a graph as the body that Retell's API takes. */
export function emitFlow(given: AgentGraph): PlainEmitted<ConversationFlowCreateParams> {
  const folded = foldComponents(given);
  const graph = sayBeginMessage(folded.graph);
  const losses: Loss[] = [];
  const context = createContext(graph, (found) => losses.push(found), idsIn(Object.values(given.nodes)));
  if (given.source_metadata.begin_message) context.lose(loss("begin-message", ["source_metadata", "begin_message"]));
  for (const id of folded.open) context.lose(loss("component", ["nodes", id]));
  const keptFlow = kept(graph.source_metadata);
  const { lens } = keptFlow;
  const part = writePart(graph, keptFlow, context);
  const { components, renamed } = writeComponents(folded.folds, keptFlow, (fold, keptPart) => {
    const inner = partContext(fold, keptPart, context);
    return { ...keptPart.own, ...writePart(fold.part, keptPart, inner) };
  });
  const nodes = part.nodes.map((node) =>
    renamed.has(node.id) ? { ...node, component_id: renamed.get(node.id) } : node,
  );
  const source: JsonObject = { ...graph.source_metadata };
  const general = source.general_prompt;
  const view = {
    ...source,
    ...(typeof general === "string" ? { general_prompt: context.expand(general) } : {}),
    ...(context.foreign ? textVariables(graph) : {}),
  };
  const component = lens.kind === "component";
  const body: JsonObject = {
    ...(component || wasAbsent(lens, "start_speaker") ? {} : { start_speaker: "agent" }),
    ...putFields(view, FLOW_FIELDS, context.foreign ? forFlow(keptFlow, context) : keptFlow),
    ...writeModel(graph, keptFlow, context),
    ...part,
    nodes,
    ...(components ? { components } : {}),
  };
  for (const name of Object.keys(given.snippets))
    if (!context.expanded.has(name)) context.lose(loss("snippet-unused", ["snippets", name], `"${name}"`));
  settingsLosses(given, context.lose);
  // the parts are typed; what an import kept is as open as the platform itself
  return { config: body as JsonObject & ConversationFlowCreateParams, losses };
}

/** What flows and components have in common: nodes, tools and where it starts. */
function writePart(graph: AgentGraph, keptBody: Kept, context: EmitContext) {
  const { lens, own } = keptBody;
  const nodes = inOrder(graph, lens.order).map((node) => writeNode(node, context));
  // a document that did not say where calls start goes on without saying it for as long as that is where it is read
  const unsaid = lens.entry !== undefined && entryIn(own, nodes) === graph.entry_node_id;
  return {
    ...writeFlowTools(context.tools.used, keptBody),
    ...(unsaid ? {} : { start_node_id: graph.entry_node_id }),
    nodes,
  };
}

function entryIn(body: JsonObject, nodes: readonly RetellNode[]): string {
  return entryOf(
    body,
    nodes.map((node) => ({ id: node.id, node: { ...node } })),
  );
}

/** Settings without those that only an LLM has. Its knowledge base settings may be null, a flow's may only be absent. */
function forFlow(keptFlow: Kept, { lose }: EmitContext): Kept {
  const { kb_config: config, s2s_model: speech } = keptFlow.own;
  if (speech) lose(loss("s2s-model", ["source_metadata", OWNER, "s2s_model"], `"${String(speech)}"`));
  return { ...keptFlow, own: omit(keptFlow.own, ["s2s_model", ...(config === null ? ["kb_config"] : [])]) };
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

function inOrder(graph: AgentGraph, order: unknown): AgentNode[] {
  const nodes = Object.values(graph.nodes);
  if (!Array.isArray(order)) return nodes;
  const places = new Map(order.map((id: unknown, index) => [id, index] as const));
  const placeOf = ({ id }: AgentNode) => places.get(id) ?? order.length;
  return nodes.toSorted((a, b) => placeOf(a) - placeOf(b));
}

function writeModel(graph: AgentGraph, { own, lens }: Kept, { foreign }: EmitContext): JsonObject {
  const choice = isRecord(own.model_choice) ? own.model_choice : {};
  const name = graph.default_model ?? undefined;
  if (name === undefined) {
    if (Object.hasOwn(own, "model_choice") || wasAbsent(lens, "model_choice")) return {};
    return { model_choice: { type: "cascading", model: DEFAULT_MODEL } };
  }
  const model = foreign ? name.replace(/^[\w-]+\//, "") : name;
  const priority = foreign && hadPriority(graph) ? { high_priority: true } : {};
  const type = lens.model_untyped === true ? {} : { type: "cascading" as const };
  return { model_choice: { ...type, ...priority, ...choice, model: model as ModelName } }; // an open set: see ModelName
}
