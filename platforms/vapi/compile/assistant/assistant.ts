import type { Vapi } from "@vapi-ai/server-sdk";
import type { AgentGraph } from "../../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit } from "../../../../src/values/mod.ts";
import type { EmitOptions, PlainEmitted } from "../../../platform.ts";
import { limits } from "../../api/mod.ts";
import { clip, HINT_KEY, NamePool, nameMembers, nodeOf } from "../common/mod.ts";
import { memberHint, nodesOfMembers } from "../hints/mod.ts";
import { createContext, type EmitContext, workOf } from "../plan/mod.ts";
import { openingOf, stepsPrompt } from "../prompt/mod.ts";
import { reportGraph } from "../report/mod.ts";
import { emitModel, extrasOfGraph, extrasOfNode, hasSameSettings, mergeJson } from "../settings/mod.ts";
import { emitMember } from "../squad/mod.ts";
import { emitWorkTools } from "../tools/mod.ts";
import { StateMachine } from "./state_machine.ts";

/** The document that `POST /assistant` takes. */
export type VapiAssistantConfig = Vapi.CreateAssistantDto;

/**
 * Writes a graph as one assistant. A graph of one talking node is held exactly; of any other the prompt lists the nodes
 * as steps, and a code tool for each edge moves the call from one to the next, vetoed unless the call is at its source.
 */
export function emitAssistant(graph: AgentGraph, options: EmitOptions = {}): PlainEmitted<VapiAssistantConfig> {
  const context = createContext(graph, { inlineDefaults: true, contract: options.contract ?? false });
  const names = nameMembers(context.plan.members);
  reportGraph(context, names);
  const shared = extrasOfGraph(graph).membersOverrides;
  const extras = isRecord(shared) ? omit(shared, ["variableValues", "tools:append"]) : {};
  const assistant = context.plan.members.length > 1 ? steps(names, context) : alone(names, context);
  return { config: asAssistant(mergeJson({ ...assistant, ...nameOf(graph) }, extras)), losses: context.losses.all() };
}

/** The agent's name, unless the author has given the entry node's assistant one. */
function nameOf(graph: AgentGraph): JsonObject {
  const { name } = graph.source_metadata;
  const entry = nodeOf(graph, graph.entry_node_id);
  return name && entry && !Object.hasOwn(extrasOfNode(graph, entry), "name")
    ? { name: clip(name, limits().assistantName) }
    : {};
}

/** The only member of a squad is the assistant: what it would be given on top becomes its own. */
function alone(names: ReadonlyMap<string, string>, context: EmitContext): JsonObject {
  const nodes = nodesOfMembers(context).get(context.graph.entry_node_id) ?? [];
  const { assistant, assistantOverrides } = emitMember(context.graph.entry_node_id, names, nodes, context);
  const tools = assistantOverrides?.["tools:append"] ?? [];
  const whole: JsonObject = { ...assistant };
  return tools.length > 0 ? { ...whole, model: { ...modelOf(whole), tools: [...toolsOf(whole), ...tools] } } : whole;
}

function steps(names: ReadonlyMap<string, string>, context: EmitContext): JsonObject {
  const { graph, plan, losses } = context;
  const entry = nodeOf(graph, graph.entry_node_id);
  if (!entry) throw new TypeError("a graph has an entry node");
  const pool = new NamePool();
  const nodes = [...new Set(plan.members.flatMap((id) => workOf(id, context)))];
  const work = emitWorkTools(nodes, pool, context);
  const machine = new StateMachine(names, pool, work, context);
  for (const id of plan.members) machine.add(id);
  const tools = machine.tools(work.tools);
  reportSteps(context);
  const others = Object.values(context.source.nodes).filter((node) => node.id !== entry.id);
  const extras = extrasOfNode(graph, entry);
  const assistant: JsonObject = {
    name: clip(graph.entry_node_id, limits().assistantName),
    ...openingOf(entry, context),
    model: {
      ...emitModel(graph.default_model, ["default_model"], losses),
      messages: [{ role: "system", content: stepsPrompt(plan.members, names, machine.lines, context) }],
      tools,
      ...(work.toolIds.length > 0 ? { toolIds: work.toolIds } : {}),
    },
    metadata: {
      [HINT_KEY]: memberHint([nodeOf(context.source, entry.id) ?? entry, ...others], undefined, tools, context),
    },
  };
  return mergeJson(assistant, extras);
}

function reportSteps({ graph, plan, losses }: EmitContext): void {
  const entry = nodeOf(graph, graph.entry_node_id);
  losses.emulated(
    "steps-in-prompt",
    ["nodes"],
    `An assistant has no nodes: ${plan.members.length} of them are steps of one prompt`,
    "code tools that move the call from step to step, vetoed where the graph has no way",
    "Emit a squad",
  );
  for (const id of plan.members) {
    const node = nodeOf(graph, id);
    if (!node || id === graph.entry_node_id) continue;
    if (entry && Object.hasOwn(node.metadata, "vapi") && !hasSameSettings(graph, entry, node)) {
      losses.dropped(
        "node-settings",
        ["nodes", id, "metadata", "vapi"],
        "One assistant has one model, one voice and one transcriber",
        "those of the entry node",
        "Emit a squad",
      );
    }
    if (node.instruction_type === "static_text") {
      losses.emulated(
        "fixed-words",
        ["nodes", id, "state_prompt"],
        "Only the first words of an assistant can be fixed",
        "a step that tells the model to say exactly these words",
        "Emit a squad",
      );
    }
  }
}

function modelOf(assistant: JsonObject): JsonObject {
  return isRecord(assistant.model) ? assistant.model : {};
}

function toolsOf(assistant: JsonObject): readonly unknown[] {
  const { tools } = modelOf(assistant);
  return Array.isArray(tools) ? tools : [];
}

/** What is emitted is typed where it is made; what an author merged in is his own. */
function asAssistant(config: JsonObject): VapiAssistantConfig {
  return config as unknown as VapiAssistantConfig; // `metadata.vapi` may hold any key that Vapi has or will have
}
