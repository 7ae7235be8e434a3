import type { Vapi } from "@vapi-ai/server-sdk";
import type { AgentGraph } from "../../../../src/graph/mod.ts";
import { type JsonObject, omit, recordAt } from "../../../../src/values/mod.ts";
import type { EmitOptions, PlainEmitted } from "../../../platform.ts";
import { limits } from "../../api/mod.ts";
import { clip, nameMembers, nodeOf } from "../common/mod.ts";
import { nodesOfMembers } from "../hints/mod.ts";
import { createContext, type EmitContext } from "../plan/mod.ts";
import { reportGraph } from "../report/mod.ts";
import { extrasOfGraph, extrasOfNode, hasSameSettings, mergeJson } from "../settings/mod.ts";
import { emitSpeaker } from "./speaker.ts";

/** The document that `POST /assistant` takes. */
export type VapiAssistantConfig = Vapi.CreateAssistantDto;

/**
 * Writes a graph as one assistant. A graph of one talking node is held exactly; of any other the prompt lists the nodes
 * as steps, and a code tool for each edge moves the call from one to the next, vetoed unless the call is at its source.
 */
export function emitAssistant(graph: AgentGraph, options: EmitOptions = {}): PlainEmitted<VapiAssistantConfig> {
  const context = createContext(graph, { isAssistant: true, contract: options.contract ?? false });
  const { members } = context.plan;
  const names = nameMembers(members);
  reportGraph(context, names);
  if (members.length > 1) reportSteps(context);
  const { assistant } = emitSpeaker(members, names, shareOf(context), context);
  const shared = omit(recordAt(extrasOfGraph(graph), "membersOverrides"), ["variableValues", "tools:append"]);
  const config = mergeJson({ ...assistant, ...nameOf(graph) }, shared);
  // `metadata.vapi` may hold any key that Vapi has or will have
  return { config: config as unknown as VapiAssistantConfig, losses: context.losses.all() };
}

/** The nodes in the order in which the assistant's metadata has them: those of one member, or all behind the first. */
function shareOf(context: EmitContext) {
  const { source: graph, plan } = context;
  const entry = nodeOf(graph, graph.entry_node_id);
  if (plan.members.length === 1 || !entry) return nodesOfMembers(context).get(graph.entry_node_id) ?? [];
  return [entry, ...Object.values(graph.nodes).filter((node) => node !== entry)];
}

/** The agent's name, unless the author has given the entry node's assistant one. */
function nameOf(graph: AgentGraph): JsonObject {
  const { name } = graph.source_metadata;
  const entry = nodeOf(graph, graph.entry_node_id);
  return name && entry && !Object.hasOwn(extrasOfNode(graph, entry), "name")
    ? { name: clip(name, limits().assistantName) }
    : {};
}

function reportSteps({ graph, plan, losses }: EmitContext): void {
  losses.add("steps-in-prompt", ["nodes"], plan.members.length);
  const entry = nodeOf(graph, graph.entry_node_id);
  for (const id of plan.members) {
    const node = nodeOf(graph, id);
    if (!node || !entry || node === entry) continue;
    if (Object.hasOwn(node.metadata, "vapi") && !hasSameSettings(graph, entry, node)) {
      const message = "One assistant has one model, one voice and one transcriber";
      losses.add(
        "node-settings",
        ["nodes", id, "metadata", "vapi"],
        message,
        "Emit a squad",
        "those of the entry node",
      );
    }
    if (node.instruction_type === "static_text")
      losses.add("fixed-words", ["nodes", id, "state_prompt"], "Only the first words of an assistant can be fixed");
  }
}
