import { type AgentGraph, type AgentNode, isRecord, type JsonObject, own } from "../../src/graph/mod.ts";
import { carriedSettings, isWorkflow, lostOfTool, lostSettings } from "./carried.ts";
import { type EmitContext, presenceClauses } from "./context.ts";
import { reportDeadEnds } from "./dead_ends.ts";
import { extrasOfNode } from "./extras.ts";
import { type Fault, reportFaults } from "./fit.ts";
import { isHeldSetting } from "./hints.ts";
import { HINT_KEY } from "./keys.ts";
import { isSilent } from "./kinds.ts";

/** With the document's own notes on how it was written, which nobody misses elsewhere. */
const KNOWN_OWNERS = new Set(["vapi", "voicetest", HINT_KEY]);
const MODELLED = new Set(["name", "general_prompt", "begin_message", "start_speaker", "default_dynamic_variables"]);

/** Says what no tool and no guard of a squad or an assistant can do as the graph has it. */
export function reportGraph(context: EmitContext, names: ReadonlyMap<string, string>): void {
  const { graph, losses, plan } = context;
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
  const returning = [...plan.backs.keys()];
  for (const id of returning) {
    const path = ["nodes", id, "global_node_setting", "go_back_conditions"];
    losses.emulated(
      "go-back-timing",
      path,
      "Vapi has no way back",
      "a handoff to every member, vetoed unless the caller came from there",
      "Nothing: the target is certain, the moment is the model's",
    );
    if (returning.length > 1) {
      losses.emulated(
        "nested-global-return",
        path,
        "Vapi keeps no stack of where the caller came from",
        "the last member that led to each global node: entered twice in one detour, the first one is forgotten",
        "Let global nodes not lead to each other",
      );
    }
  }
  const merged = [...plan.merged.values()].flat().length;
  const count = Object.keys(graph.nodes).length;
  if (context.contract && count > plan.members.length) {
    const silent = count - plan.members.length - merged;
    losses.emulated(
      "contracted",
      ["nodes"],
      `${plan.members.length} members of ${count} nodes: ${merged} merged into the one before them, ${silent} guards or tools`,
      merged > 0 ? "one prompt with a step for each node of a chain" : "nothing else: no chain could be merged",
      merged > 0 ? "Emit without contracting to give every talking node a member of its own" : "Nothing",
    );
  }
}

/** What of another of Vapi's formats an assistant cannot have, or not as it was. */
function reportCarried(context: EmitContext): void {
  const { graph, losses, plan, inlineDefaults } = context;
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

function reportLost(lost: ReturnType<typeof lostSettings>, { graph, losses }: EmitContext): void {
  for (const { at, keys } of lost) {
    losses.dropped(
      isWorkflow(graph) ? "workflow-settings" : "setting-dropped",
      at,
      `Assistants have no ${keys.map((key) => `"${key}"`).join(", ")}`,
      "nothing",
      "Set what took its place in today's API: hooks for silence and idle messages, plans for turn-taking and artifacts",
    );
  }
}

/** What an author wants of Vapi at a node; what a workflow had there is no wish. */
function extrasOfOwner(node: AgentNode, graph: AgentGraph): JsonObject {
  return graph.source_type === "vapi-workflow" ? {} : extrasOfNode(graph, node);
}

/** Platforms' notes on how a document spelt what the graph itself says: nothing that a call could miss. */
const NOTES = "lens";

function saysAnything(settings: unknown): boolean {
  return !isRecord(settings) || Object.keys(settings).some((key) => key !== NOTES);
}

/** What is kept under some keys, named. */
function keptUnder(metadata: { readonly [owner: string]: unknown }, owners: readonly string[]): string {
  const named = owners.map((owner) => {
    const settings = metadata[owner];
    const keys = isRecord(settings) ? Object.keys(settings).filter((key) => key !== NOTES) : [];
    return keys.length === 0 ? `"${owner}"` : `"${owner}" (${keys.join(", ")})`;
  });
  return named.join(", ");
}

function reportSettings(context: EmitContext): void {
  const { graph, losses } = context;
  reportCarried(context);
  const owners = Object.entries(graph.source_metadata)
    .filter(([key, value]) => !MODELLED.has(key) && !KNOWN_OWNERS.has(key) && saysAnything(value))
    .map(([key]) => key);
  const path = ["source_metadata"];
  if (owners.length > 0) {
    losses.dropped(
      "platform-settings",
      path,
      `Vapi has no place for what is kept under ${keptUnder(graph.source_metadata, owners)}`,
      "nothing",
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
        "nothing",
        "Set them at the nodes that lead there",
      );
    }
    const kept = Object.entries(node.metadata)
      .filter(([key, value]) => !KNOWN_OWNERS.has(key) && saysAnything(value) && !isHeldSetting(node, key))
      .map(([key]) => key);
    if (kept.length === 0) continue;
    losses.dropped(
      "node-settings",
      ["nodes", node.id, "metadata"],
      `Vapi has no place for what is kept under ${keptUnder(node.metadata, kept)}`,
      "nothing",
      "Set what Vapi should have under metadata.vapi of the node",
    );
  }
}

function reportTransitions(id: string, context: EmitContext): void {
  const { graph, losses } = context;
  const node = graph.nodes[id];
  if (!node) return;
  const silent = isSilent(node);
  const firstLike = (timing: unknown) =>
    node.transitions.findIndex(
      (each) => each.condition.type === "always" && (silent || (each.timing === "else") === (timing === "else")),
    );
  let decided = 0;
  for (const [index, { condition, timing }] of node.transitions.entries()) {
    const path = ["nodes", id, "transitions", index];
    if (condition.type === "always") {
      const first = firstLike(timing);
      if (index !== first) {
        const before = `"always" transition ${first} comes first`;
        losses.dropped("unreachable-transition", path, before, "nothing", "Take this transition out");
      } else if (!silent && timing !== "else") {
        losses.emulated(
          "forced-transition",
          path,
          "Nothing in Vapi moves a call on but the model",
          "a handoff that the prompt says to make at once",
          "Merge the two nodes, or emit with contracting",
        );
      }
    }
    if (condition.type === "tool_call") reportOutcome(id, index, context);
    if (condition.type !== "equation") continue;
    decided += 1;
    losses.emulated(
      "equation-as-trigger",
      path,
      "An equation that comes to hold moves no call in Vapi",
      "a handoff that is vetoed while it does not hold, and that the prompt says to make as soon as it does",
      "Nothing: the wrong way is impossible, the moment is the model's",
    );
    if (decided > 1) {
      losses.emulated(
        "edge-priority",
        path,
        "Vapi's tools have no order",
        "a guard that also vetoes while an earlier equation holds",
        "Nothing: the order is kept by the guards",
      );
    }
  }
}

function reportOutcome(id: string, index: number, { graph, losses }: EmitContext): void {
  const path = ["nodes", id, "transitions", index];
  if (graph.nodes[id]?.node_type === "transfer") {
    losses.dropped(
      "transfer-failure-routing",
      path,
      "A transfer in Vapi does not come back to the graph",
      "nothing: Vapi ends the call when the transfer fails",
      "Say under metadata.vapi of the tool what should happen (transferPlan.fallbackPlan)",
    );
    return;
  }
  losses.emulated(
    "tool-outcome",
    path,
    "Vapi sets nothing when a tool fails",
    "a variable that is set when the tool answers: without it, the way of failure is open",
    "Let the tool answer with a status, and route by equations on it",
  );
}
