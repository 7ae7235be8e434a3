import { clip, type JsonObject, Names, omit, own, recordAt } from "../../../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode } from "../../../../src/document/graph/mod.ts";
import type { EmitOptions, PlainEmitted } from "../../../platform.ts";
import { limits } from "../../api/mod.ts";
import type { CreateAssistantDTO, CreateSquadDTO } from "../../generated/mod.ts";
import { HINT_KEY } from "../common/mod.ts";
import { memberHint, nodesOfMembers } from "../hints/mod.ts";
import { createContext, type EmitContext, workOf } from "../plan/mod.ts";
import { memberStart, systemPrompt } from "../prompt/mod.ts";
import { emitModel, extrasOfGraph, extrasOfNode, hasSameSettings, mergeSettings } from "../settings/mod.ts";
import { emitWorkTools } from "../tools/mod.ts";
import { Exits } from "./exits.ts";
import { OVERRIDES_OF_SQUADS, reportGraph } from "./report.ts";

/** Body of `POST /squad`. */
export type VapiSquadConfig = CreateSquadDTO;

/** Body of `POST /assistant`. */
export type VapiAssistantConfig = CreateAssistantDTO;

/**
 * Emits a graph that was not imported from a Vapi squad or assistant as a squad: a member for every conversation node,
 * and handoff tools for transitions.
 *
 * @param options `contract` merges chains of nodes into one member, and reports how many were merged.
 * @see https://docs.vapi.ai/squads
 */
export function emitSquad(graph: AgentGraph, options: EmitOptions = {}): PlainEmitted<VapiSquadConfig> {
  const context = planned(graph, options, false);
  const members = [...nodesOfMembers(context)].map(([id, share]) => {
    const { assistant, handoffs } = emitSpeaker([id], share, context);
    return { assistant, ...(handoffs.length > 0 ? { assistantOverrides: { "tools:append": handoffs } } : {}) };
  });
  // defaults of variables apply to every member; values of a call override them
  const defaults = Object.entries(graph.source_metadata.default_dynamic_variables ?? {});
  const values = Object.fromEntries(defaults.map(([name, value]) => [context.variables.emitted(name), value]));
  const overrides = defaults.length === 0 ? {} : { membersOverrides: { variableValues: values } };
  const { name } = graph.source_metadata;
  const squad: JsonObject = { ...(name ? { name } : {}), members, ...overrides };
  const config = mergeSettings(squad, omit(extrasOfGraph(graph), ["members"]));
  // `metadata.vapi` may hold any key that Vapi has or will have
  return { config: config as unknown as VapiSquadConfig, losses: context.losses.all() };
}

/**
 * Emits a graph as one assistant. If the graph has several conversation nodes, the prompt lists them as steps, and each
 * transition is a code tool that is rejected unless the call is at its source.
 */
export function emitAssistant(graph: AgentGraph, options: EmitOptions = {}): PlainEmitted<VapiAssistantConfig> {
  const context = planned(graph, options, true);
  const { members } = context.plan;
  const entry = own(graph.nodes, graph.entry_node_id);
  if (members.length > 1) reportSteps(context);
  const others = Object.values(graph.nodes).filter((node) => node !== entry);
  const share = members.length > 1 && entry ? [entry, ...others] : nodesOfMembers(context).get(graph.entry_node_id);
  const { assistant } = emitSpeaker(members, share ?? [], context);
  reportDefaults(assistant, context);
  const { name } = graph.source_metadata;
  const isNamed = name && entry && !Object.hasOwn(extrasOfNode(graph, entry), "name");
  const named = isNamed ? { ...assistant, name: clip(name, limits().assistantName) } : assistant;
  const extras = extrasOfGraph(graph);
  const withSettings = mergeSettings(named, omit(extras, ["members", "membersOverrides"]));
  const config = mergeSettings(withSettings, omit(recordAt(extras, "membersOverrides"), OVERRIDES_OF_SQUADS));
  // `metadata.vapi` may hold any key that Vapi has or will have
  return { config: config as unknown as VapiAssistantConfig, losses: context.losses.all() };
}

/** Removes the source of a graph that was imported from Vapi, so that it is emitted like any other graph. */
export function asNew(graph: AgentGraph): AgentGraph {
  return { ...graph, source_type: "custom", source_metadata: omit(graph.source_metadata, ["vapi"]) };
}

function planned(graph: AgentGraph, { contract = false }: EmitOptions, isAssistant: boolean): EmitContext {
  const context = createContext(graph, { isAssistant, contract });
  reportGraph(context);
  return context;
}

/** Reports defaults of variables that no text of an assistant has. */
function reportDefaults(assistant: JsonObject, { graph, losses, variables }: EmitContext): void {
  const text = JSON.stringify({ ...assistant, metadata: undefined });
  for (const name of Object.keys(graph.source_metadata.default_dynamic_variables ?? {}))
    if (!text.includes(`{{ ${variables.emitted(name)} | default:`))
      losses.add("variable-default", ["source_metadata", "default_dynamic_variables", name], name);
}

function reportSteps({ graph, plan, losses }: EmitContext): void {
  losses.add("steps-in-prompt", ["nodes"], plan.members.length);
  const [entry, ...others] = plan.members.flatMap((id) => own(graph.nodes, id) ?? []);
  for (const node of others) {
    const message = "One assistant has one model, one voice and one transcriber";
    const path = ["nodes", node.id, "metadata", "vapi"];
    if (entry && Object.hasOwn(node.metadata, "vapi") && !hasSameSettings(graph, entry, node))
      losses.add("node-settings", path, message, "Emit a squad", "those of the entry node");
    if (node.instruction_type === "static_text")
      losses.add(
        "fixed-words",
        ["nodes", node.id, "state_prompt"],
        "Only the first words of an assistant can be fixed",
      );
  }
}

/**
 * Emits the assistant that speaks for the given nodes: for one node in a squad, else for all nodes.
 *
 * @param share The nodes that its metadata contains. It starts with the first one.
 */
function emitSpeaker(ids: readonly string[], share: readonly AgentNode[], context: EmitContext) {
  const { graph, plan, losses, isAssistant } = context;
  const [id = ""] = ids;
  const node = own(graph.nodes, id);
  if (!node) throw new TypeError(`the plan has a member "${id}" that is not a node`);
  const pool = new Names([], { joint: "_", limit: limits().functionName });
  const work = emitWorkTools([...new Set(ids.flatMap((each) => workOf(each, context)))], pool, context);
  const exits = new Exits({ ids, pool, work }, context);
  const content = systemPrompt(ids, (each) => exits.lines(each), context);
  const tools = [...exits.workTools, ...(isAssistant ? exits.tools : [])];
  const held = { tools: exits.workTools, places: work.places };
  const assistant: JsonObject = {
    name: plan.names.get(id) ?? id,
    ...memberStart(node, context),
    model: {
      ...emitModel(graph.default_model, losses),
      messages: [{ role: "system", content }],
      ...(tools.length > 0 ? { tools } : {}),
      ...(work.toolIds.length > 0 ? { toolIds: work.toolIds } : {}),
    },
    metadata: { [HINT_KEY]: memberHint(share, ids.length > 1 ? undefined : content, held, context) },
  };
  return { assistant: mergeSettings(assistant, extrasOfNode(graph, node)), handoffs: isAssistant ? [] : exits.tools };
}
