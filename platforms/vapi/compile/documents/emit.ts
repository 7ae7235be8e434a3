import { clip, type JsonObject, Names, omit, own, recordAt } from "../../../../src/base/values/mod.ts";
import { UNREAD_CODES, unreadParts } from "../../../../src/document/expressions/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  waysAfterHearing,
  waysAfterSpeech,
  waysAfterWork,
} from "../../../../src/document/graph/mod.ts";
import { foreignSettings, isDestinationSetting } from "../../../known/mod.ts";
import { isSilent, isTerminal, type LoweredNode, transitionPath } from "../../../lower/mod.ts";
import type { EmitOptions, PlainEmitted } from "../../../platform.ts";
import { type Fault, limits } from "../../api/mod.ts";
import type { CreateAssistantDTO, CreateSquadDTO } from "../../generated/mod.ts";
import { destinationsFor } from "../../shared/mod.ts";
import { HINT_KEY } from "../common/mod.ts";
import { memberHint, nodesOfMembers } from "../hints/mod.ts";
import { awaitedTools, createContext, type EmitContext, outcomeSource, workOf } from "../plan/mod.ts";
import { memberStart, systemPrompt } from "../prompt/mod.ts";
import {
  carriedSettings,
  emitModel,
  extrasOfGraph,
  extrasOfNode,
  hasSameSettings,
  isWorkflow,
  lostSettings,
  mergeSettings,
  overridden,
  reportFaults,
} from "../settings/mod.ts";
import { clausesOf } from "../text/mod.ts";
import { emitWorkTools } from "../tools/mod.ts";
import { Exits } from "./exits.ts";

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
  for (const at of entry ? overridden(extrasOfNode(graph, entry), config) : []) {
    const message = `The assistant has the flow's "${at.join(".")}" instead of that of its entry node`;
    const path = ["nodes", graph.entry_node_id, "metadata", "vapi", ...at];
    context.losses.add("setting-dropped", path, { kind: "dropped", message, hint: "Set it in one place" });
  }
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

/** Reports all losses that do not belong to a single tool. */
function reportGraph(context: EmitContext): void {
  const { source: graph, losses, plan } = context;
  const nodes = Object.values(graph.nodes);
  for (const [id, name] of plan.names) if (id !== name) losses.add("member-renamed", ["nodes", id], name);
  reportSettings(context);
  for (const { code, path, message, hint } of unreadParts(graph, UNREAD_CODES)) losses.add(code, path, message, hint);
  for (const node of nodes) reportTransitions(node, context);
  reportLeftOut(context);
  const extracted = new Set(nodes.flatMap((node) => node.variables_to_extract.map(({ name }) => name)));
  for (const { names, operator, path } of clausesOf(graph))
    for (const name of names)
      if (extracted.has(name) && /exist/.test(operator)) losses.add("extraction-left-empty", path, name);
  for (const { id, global_node_setting: setting } of nodes)
    if (setting?.go_back_conditions.length)
      losses.add("go-back-timing", ["nodes", id, "global_node_setting", "go_back_conditions"]);
  if (context.contract && nodes.length > plan.members.length)
    losses.add("contracted", ["nodes"], plan.members.length, nodes.length, [...plan.merged.values()].flat().length);
}

/** Reports nodes that no member reaches, and tools of nodes that end the call. */
function reportLeftOut({ source: graph, losses, plan }: EmitContext): void {
  const routes = [...plan.routes.values()].flat();
  const reached = new Set([
    ...[...plan.members, ...[...plan.merged.values()].flat()],
    ...routes.flatMap(({ through, target }) => [...through, target]),
  ]);
  for (const node of Object.values(graph.nodes)) {
    const path = ["nodes", node.id];
    if (!reached.has(node.id)) losses.add("unreachable-node", path, node.id);
    for (const index of isTerminal(node) ? node.tools.keys() : []) {
      const message = "A node that ends or transfers the call has no tools of its own at Vapi";
      const hint = "Move the tool to the node before it";
      losses.add("tool-dropped", [...path, "tools", index], { kind: "dropped", message, hint });
    }
  }
}

/** Reports transitions of a node that the model makes instead of the graph, and transitions that are omitted. */
function reportTransitions(node: LoweredNode, context: EmitContext): void {
  const { losses, plan } = context;
  const silent = isSilent(node);
  let equations = 0;
  for (const [index, transition] of node.transitions.entries()) {
    const path = transitionPath(node, index);
    const { condition, timing, target_node_id: target } = transition;
    if (!plan.isDeadEnd(node.id) && !isTerminal(node) && plan.isDeadEnd(target)) losses.add("dead-end", path, target);
    if (condition.type === "always") {
      const waysOf = silent ? waysAfterWork : timing === "else" ? waysAfterHearing : waysAfterSpeech;
      const { otherwise = transition } = waysOf(node);
      if (otherwise !== transition) losses.add("unreachable-transition", path, node.transitions.indexOf(otherwise));
      else if (!silent && timing !== "else") losses.add("forced-transition", path);
    }
    if (condition.type === "tool_call" && node.node_type === "transfer") losses.add("transfer-failure-routing", path);
    else if (condition.type === "tool_call") {
      const sources = new Set(awaitedTools(node, transition).map(outcomeSource));
      for (const source of ["noted", "told"] as const)
        if (sources.has(source)) losses.add("tool-outcome", path, source);
    }
    if (condition.type !== "equation") continue;
    equations += 1;
    losses.add("equation-as-trigger", path);
    if (equations > 1) losses.add("edge-priority", path);
  }
}

const UNSUPPORTED = "Vapi does not support the settings under";
const NODE_HINT = "Set Vapi's own settings under metadata.vapi of the node";

/** Overrides of all members that a saved assistant cannot have. */
const OVERRIDES_OF_SQUADS = ["variableValues", "tools:append"];

/** Reports settings that Vapi does not support, or not at their node. */
function reportSettings(context: EmitContext): void {
  const { source: graph, losses, plan } = context;
  reportCarried(context);
  reportOfSquads(context);
  for (const { path, names } of foreignSettings(graph, ["vapi"])) {
    const node = path[0] === "nodes" ? own(graph.nodes, String(path[1])) : undefined;
    const owner = String(path.at(-1));
    const isWritten = (name: string) =>
      node !== undefined && isDestinationSetting(owner, name) && destinationsFor(node).length > 0;
    const lost = names.filter((name) => !isWritten(name));
    const settings = `"${owner}" (${lost.join(", ")})`;
    if (!node) losses.add("platform-settings", path, settings);
    else if (lost.length > 0) losses.add("node-settings", path, `${UNSUPPORTED} ${settings}`, NODE_HINT);
  }
  for (const node of Object.values(graph.nodes)) {
    const path = ["nodes", node.id, "metadata"];
    const isUsed = plan.names.has(node.id) || node.node_type === "transfer";
    // settings of a workflow's node are reported by reportCarried()
    if (!isUsed && graph.source_type !== "vapi-workflow" && Object.keys(extrasOfNode(graph, node)).length > 0) {
      const message = "The node is emitted as tools or guards, without an assistant for settings";
      losses.add("node-settings", [...path, "vapi"], message, "Set them at the nodes that lead to it");
    }
  }
}

/** Reports settings of squads that an author has set and that the emitted document does not have. */
function reportOfSquads({ source: graph, losses, isAssistant }: EmitContext): void {
  const extras = extrasOfGraph(graph);
  const path = ["source_metadata", "vapi"];
  const lose = (at: readonly string[], message: string, hint: string) =>
    losses.add("setting-dropped", [...path, ...at], { kind: "dropped", message, hint });
  if (Object.hasOwn(extras, "members"))
    lose(["members"], "The members of a squad are made from the nodes", "Set Vapi's own settings at the nodes");
  const overrides = recordAt(extras, "membersOverrides");
  for (const key of isAssistant ? OVERRIDES_OF_SQUADS : [])
    if (Object.hasOwn(overrides, key))
      lose(["membersOverrides", key], `A saved assistant has no ${key}`, "Emit a squad, or set it in each call");
}

/** Reports settings from another of Vapi's formats that were changed or removed. */
function reportCarried({ source: graph, losses, plan, isAssistant }: EmitContext): void {
  const dropped = isWorkflow(graph) ? "workflow-settings" : "setting-dropped";
  // a single assistant has the settings of the entry node; "node-settings" reports those of other nodes
  const spoken = new Set(isAssistant ? [graph.entry_node_id] : plan.members);
  const merged = new Set([...plan.merged.values()].flat());
  for (const node of Object.values(graph.nodes)) {
    const [isSpoken, isMerged] = [spoken.has(node.id), merged.has(node.id)];
    const faults: Fault[] = [];
    if (isSpoken) carriedSettings(graph, node, faults);
    if (isSpoken || isMerged || !plan.members.includes(node.id))
      faults.push(...lostSettings(graph, node, isSpoken || isMerged));
    reportFaults(faults, losses, dropped);
  }
}
