import type { AgentGraph, AgentNode } from "../../../../src/graph/mod.ts";
import { type JsonObject, own } from "../../../../src/values/mod.ts";
import { settingNames } from "../../../foreign_settings.ts";
import type { Fault } from "../../api/mod.ts";
import { HINT_KEY } from "../common/mod.ts";
import { isHeldSetting } from "../hints/mod.ts";
import { type EmitContext, presenceClauses } from "../plan/mod.ts";
import { carriedSettings, extrasOfNode, isWorkflow, lostOfTool, lostSettings, reportFaults } from "../settings/mod.ts";
import { reportDeadEnds } from "./dead_ends.ts";
import { reportTransitions } from "./report_transitions.ts";

/** With the document's own notes on how it was written, which nobody misses elsewhere. */
const KNOWN_OWNERS = new Set(["vapi", "voicetest", HINT_KEY]);
const MODELLED = new Set(["name", "general_prompt", "begin_message", "start_speaker", "default_dynamic_variables"]);

/** Says what no tool and no guard of a squad or an assistant can do as the graph has it. */
export function reportGraph(context: EmitContext, names: ReadonlyMap<string, string>): void {
  const { source: graph, losses, plan } = context;
  for (const [id, name] of names)
    if (id !== name) {
      losses.emulated(
        "member-renamed",
        ["nodes", id],
        "Vapi takes names of at most 40 characters, each once in a squad",
        `the member "${name}"`,
        "Shorten the node's id",
      );
    }
  reportSettings(context);
  for (const node of Object.values(graph.nodes)) reportTransitions(node.id, context);
  reportDeadEnds(context);
  const extracted = new Set(
    Object.values(graph.nodes).flatMap((node) => node.variables_to_extract.map((variable) => variable.name)),
  );
  for (const { name, path } of presenceClauses(graph))
    if (extracted.has(name)) {
      losses.emulated(
        "extraction-left-empty",
        path,
        `Vapi may set "${name}" to an empty text when the caller has not said it`,
        "a code tool that may be called without it, and a guard that asks whether it is set",
        "Extract a choice with a value for what is not known, and compare with that",
      );
    }
  for (const { id, global_node_setting: setting } of Object.values(graph.nodes))
    if (setting?.go_back_conditions.length)
      losses.emulated(
        "go-back-timing",
        ["nodes", id, "global_node_setting", "go_back_conditions"],
        "Vapi cannot return a call to the member it came from",
        "a handoff to each member that leads there, rejected unless the call came from it; the model chooses the moment",
      );
  const merged = [...plan.merged.values()].flat().length;
  const count = Object.keys(graph.nodes).length;
  if (context.contract && count > plan.members.length) {
    const silent = count - plan.members.length - merged;
    losses.emulated(
      "contracted",
      ["nodes"],
      `${plan.members.length} members of ${count} nodes: ${merged} merged into the one before them, ${silent} guards or tools`,
      merged > 0 ? "one prompt with a step for each node of a chain" : "the squad without merging",
      merged > 0 ? "Emit without contract to give every speaking node a member of its own" : undefined,
    );
  }
}

/** What of another of Vapi's formats an assistant cannot have, or not as it was. */
function reportCarried(context: EmitContext): void {
  const { source: graph, losses, plan, inlineDefaults } = context;
  // one assistant has the settings of the entry node; that those of others stay behind is said elsewhere
  const ids = inlineDefaults ? [graph.entry_node_id] : plan.members;
  for (const id of ids) {
    const node = own(graph.nodes, id);
    if (!node) continue;
    const faults: Fault[] = [];
    carriedSettings(graph, node, faults);
    const codes = { emulated: "workflow-settings", dropped: "workflow-settings" } as const;
    reportFaults(faults, losses, isWorkflow(graph) ? codes : undefined);
    reportLost(lostSettings(graph, node), context);
  }
  const merged = new Set([...plan.merged.values()].flat());
  const members = new Set(plan.members);
  for (const node of Object.values(graph.nodes)) {
    if (merged.has(node.id)) reportLost(lostSettings(graph, node), context);
    else if (!members.has(node.id)) reportLost(lostOfTool(graph, node), context);
  }
}

function reportLost(lost: ReturnType<typeof lostSettings>, { source: graph, losses }: EmitContext): void {
  for (const { at, keys } of lost) {
    losses.dropped(
      isWorkflow(graph) ? "workflow-settings" : "setting-dropped",
      at,
      `Assistants have no ${keys.map((key) => `"${key}"`).join(", ")}`,
      undefined,
      "Set what took its place in today's API: hooks for silence and idle messages, plans for turn-taking and artifacts",
    );
  }
}

/** What an author wants of Vapi at a node; what a workflow had there is no wish. */
function extrasOfOwner(node: AgentNode, graph: AgentGraph): JsonObject {
  return graph.source_type === "vapi-workflow" ? {} : extrasOfNode(graph, node);
}

/** The settings that are kept under some owners, named. */
function keptUnder(metadata: { readonly [owner: string]: unknown }, owners: readonly string[]): string {
  return owners.map((owner) => `"${owner}" (${settingNames(owner, metadata[owner]).join(", ")})`).join(", ");
}

function reportSettings(context: EmitContext): void {
  const { source: graph, losses } = context;
  reportCarried(context);
  const owners = Object.entries(graph.source_metadata)
    .filter(([key, value]) => !MODELLED.has(key) && !KNOWN_OWNERS.has(key) && settingNames(key, value).length > 0)
    .map(([key]) => key);
  const path = ["source_metadata"];
  if (owners.length > 0) {
    losses.dropped(
      "platform-settings",
      path,
      `Vapi has no place for what is kept under ${keptUnder(graph.source_metadata, owners)}`,
      undefined,
      "Set what Vapi should have under source_metadata.vapi",
    );
  }
  const members = new Set(context.plan.members);
  for (const node of Object.values(graph.nodes)) {
    const isUsed = members.has(node.id) || node.node_type === "transfer";
    if (!isUsed && Object.keys(extrasOfOwner(node, graph)).length > 0) {
      losses.dropped(
        "node-settings",
        ["nodes", node.id, "metadata", "vapi"],
        "The node is a tool or a guard of others, and has no assistant to hold settings",
        undefined,
        "Set them at the nodes that lead there",
      );
    }
    const kept = Object.entries(node.metadata)
      .filter(
        ([key, value]) => !KNOWN_OWNERS.has(key) && settingNames(key, value).length > 0 && !isHeldSetting(node, key),
      )
      .map(([key]) => key);
    if (kept.length === 0) continue;
    losses.dropped(
      "node-settings",
      ["nodes", node.id, "metadata"],
      `Vapi has no place for what is kept under ${keptUnder(node.metadata, kept)}`,
      undefined,
      "Set what Vapi should have under metadata.vapi of the node",
    );
  }
}
