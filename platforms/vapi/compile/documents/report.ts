import { own, recordAt } from "../../../../src/base/values/mod.ts";
import { UNREAD_CODES, unreadParts } from "../../../../src/document/expressions/mod.ts";
import { waysAfterHearing, waysAfterSpeech, waysAfterWork } from "../../../../src/document/graph/mod.ts";
import { foreignSettings } from "../../../known/mod.ts";
import { isSilent, isTerminal, type LoweredNode, transitionPath } from "../../../lower/mod.ts";
import type { Fault } from "../../api/mod.ts";
import { destinationsFor } from "../../shared/mod.ts";
import { DESTINATION_KEY } from "../hints/mod.ts";
import { awaitedTools, type EmitContext, outcomeSource } from "../plan/mod.ts";
import {
  carriedSettings,
  extrasOfGraph,
  extrasOfNode,
  isWorkflow,
  lostSettings,
  reportFaults,
} from "../settings/mod.ts";
import { clausesOf } from "../text/mod.ts";

/** Reports all losses that do not belong to a single tool. */
export function reportGraph(context: EmitContext): void {
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
export const OVERRIDES_OF_SQUADS = ["variableValues", "tools:append"];

/** Reports settings that Vapi does not support, or not at their node. */
function reportSettings(context: EmitContext): void {
  const { source: graph, losses, plan } = context;
  reportCarried(context);
  reportOfSquads(context);
  for (const { path, names } of foreignSettings(graph, ["vapi"])) {
    const node = path[0] === "nodes" ? own(graph.nodes, String(path[1])) : undefined;
    const lost = names.filter((name) => !node || name !== DESTINATION_KEY || destinationsFor(node).length === 0);
    const settings = `"${String(path.at(-1))}" (${lost.join(", ")})`;
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
