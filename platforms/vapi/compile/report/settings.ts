import type { AgentGraph, AgentNode } from "../../../../src/graph/mod.ts";
import { own } from "../../../../src/values/mod.ts";
import { settingNames } from "../../../foreign_settings.ts";
import type { Fault } from "../../api/mod.ts";
import { HINT_KEY, quoted } from "../common/mod.ts";
import { isHeldSetting } from "../hints/mod.ts";
import type { EmitContext } from "../plan/mod.ts";
import { carriedSettings, extrasOfNode, isWorkflow, lostSettings, reportFaults } from "../settings/mod.ts";

/** Keys of `metadata` that are no settings of another platform. */
const KNOWN_OWNERS = new Set(["vapi", "voicetest", HINT_KEY]);
/** Keys of `source_metadata` that the graph models. */
const MODELLED = new Set(["name", "general_prompt", "begin_message", "start_speaker", "default_dynamic_variables"]);

/** Reports settings that Vapi does not have, or not where the graph has them. */
export function reportSettings(context: EmitContext): void {
  const { source: graph, losses, plan } = context;
  reportCarried(context);
  const kept = keptUnder(graph.source_metadata, (owner) => !MODELLED.has(owner));
  if (kept) losses.add("platform-settings", ["source_metadata"], kept);
  const members = new Set(plan.members);
  for (const node of Object.values(graph.nodes)) {
    const path = ["nodes", node.id, "metadata"];
    const isUsed = members.has(node.id) || node.node_type === "transfer";
    // what a workflow has at a node is reported as carried
    if (!isUsed && graph.source_type !== "vapi-workflow" && Object.keys(extrasOfNode(graph, node)).length > 0) {
      const message = "The node is a tool or a guard of others, and has no assistant to hold settings";
      losses.add("node-settings", [...path, "vapi"], message, "Set them at the nodes that lead there");
    }
    const others = keptUnder(node.metadata, (owner) => !isHeldSetting(node, owner));
    if (!others) continue;
    const hint = "Set what Vapi should have under metadata.vapi of the node";
    losses.add("node-settings", path, `Vapi has no place for what is kept under ${others}`, hint);
  }
}

/** The settings of other platforms, by name; empty if there are none. */
function keptUnder(metadata: AgentNode["metadata"], isLost: (owner: string) => boolean): string {
  const owners = Object.entries(metadata).flatMap(([owner, settings]) => {
    const names = KNOWN_OWNERS.has(owner) || !isLost(owner) ? [] : settingNames(owner, settings);
    return names.length > 0 ? [`"${owner}" (${names.join(", ")})`] : [];
  });
  return owners.join(", ");
}

/** Reports settings from another of Vapi's formats that an assistant cannot have, or not as they were. */
function reportCarried({ source: graph, losses, plan, isAssistant }: EmitContext): void {
  const dropped = isWorkflow(graph) ? "workflow-settings" : "setting-dropped";
  // one assistant has the settings of the entry node; "node-settings" reports those of other nodes
  const spoken = new Set(isAssistant ? [graph.entry_node_id] : plan.members);
  const merged = new Set([...plan.merged.values()].flat());
  const reportLost = (node: AgentNode, isSpoken: boolean) => {
    for (const { at, keys } of lostSettings(graph, node, isSpoken))
      losses.add(dropped, at, {
        kind: "dropped",
        message: `Assistants have no ${quoted(keys)}`,
        hint: "Set what took its place in today's API: hooks for silence and idle messages, plans for turn-taking and artifacts",
      });
  };
  for (const node of nodesOf(graph, spoken)) {
    const faults: Fault[] = [];
    carriedSettings(graph, node, faults);
    reportFaults(faults, losses, dropped);
    reportLost(node, true);
  }
  for (const node of Object.values(graph.nodes))
    if (merged.has(node.id) || !plan.members.includes(node.id)) reportLost(node, merged.has(node.id));
}

const nodesOf = (graph: AgentGraph, ids: Iterable<string>) => [...ids].flatMap((id) => own(graph.nodes, id) ?? []);
