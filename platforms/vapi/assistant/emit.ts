import { getAt, isRecord, type JsonObject, omit, own, recordAt, setAt } from "../../../src/base/values/mod.ts";
import { replacePlaceholders } from "../../../src/document/expressions/mod.ts";
import type { AgentGraph, AgentNode } from "../../../src/document/graph/mod.ts";
import type { EmitOptions, Loss, PlainEmitted } from "../../platform.ts";
import { asNew, emitAssistant, openingIn } from "../compile/mod.ts";
import {
  createDirectory,
  homeOf,
  isText,
  liquidText,
  lowerCalls,
  NODE_HINT,
  ownPrompt,
  withDefaultModel,
  withRawTools,
  withSpeech,
  writeMember,
  writeOpening,
} from "../shared/mod.ts";
import { OVERRIDES, UNNAMED_ASSISTANT, VARIABLES } from "./import.ts";

/**
 * Emits a graph as an assistant. A graph that was imported from an assistant is written into that assistant. If nodes
 * were added to it, its prompt, tools and opening are compiled as for a graph of any other origin; all other settings
 * stay.
 */
export function emitAssistantGraph(document: AgentGraph, options: EmitOptions = {}): PlainEmitted<unknown> {
  const graph = lowerCalls(document);
  const nodes = Object.values(graph.nodes);
  const node = nodes.find((candidate) => homeOf(candidate));
  const found = node && homeOf(node);
  if (recordAt(graph.source_metadata, "vapi").kind !== "assistant" || !found)
    return emitAssistant(withRawTools(graph), options);
  const isAlone = nodes.length === 1 && isPlain(node);
  const [withModel = {}] = withDefaultModel([named(graph, node, found)], graph.default_model);
  const { config: home, losses } = isAlone
    ? writeAlone(graph, node, withModel)
    : writeSteps(graph, node, withModel, options);
  const assistant = withSpeech(recordAt(home, "assistant"), graph);
  return { config: isRecord(home[OVERRIDES]) ? { ...home, assistant } : assistant, losses };
}

/** Whether a node is only a prompt with tools. */
function isPlain(node: AgentNode): boolean {
  return node.transitions.length === 0 && !node.global_node_setting && node.instruction_type !== "static_text";
}

/** Writes a single node. Defaults of variables go to the overrides if there are any, else into placeholders. */
function writeAlone(graph: AgentGraph, node: AgentNode, home: JsonObject): PlainEmitted<JsonObject> {
  const { source_metadata: source } = graph;
  const defaults = source.default_dynamic_variables;
  const hasPlace = Object.hasOwn(home, OVERRIDES);
  const inline = hasPlace ? {} : (defaults ?? {});
  const named = new Set<string>();
  const withDefaults = (text: string) =>
    replacePlaceholders(text, (name) => {
      const value: unknown = own(inline, name);
      if (value === undefined) return undefined;
      named.add(name);
      return `{{ ${name} | default: ${liquidText(typeof value === "string" ? value : JSON.stringify(value))} }}`;
    });
  const prompt = withDefaults(ownPrompt(graph, node.state_prompt));
  const words = source.begin_message;
  const opening = typeof words === "string" ? { ...source, begin_message: withDefaults(words) } : source;
  const written = writeOpening(writeMember({ ...node, state_prompt: prompt }, home, createDirectory([])), opening);
  const losses = Object.keys(inline).map(
    (name): Loss => ({
      code: "variable-default",
      kind: named.has(name) ? "emulated" : "dropped",
      path: ["source_metadata", "default_dynamic_variables", name],
      message: "A saved assistant cannot store a variable's default value",
      ...(named.has(name) ? { instead: "the default in each placeholder of its prompt and opening" } : {}),
      hint: "Set the variable in each call, or emit a squad",
    }),
  );
  return { config: defaults && hasPlace ? setAt(written, VARIABLES, defaults) : written, losses };
}

/** Writes several nodes as steps: compiles the prompt, tools and opening, and keeps all other settings. */
function writeSteps(
  graph: AgentGraph,
  node: AgentNode,
  home: JsonObject,
  options: EmitOptions,
): PlainEmitted<JsonObject> {
  const raw = withRawTools(graph);
  // the settings are kept as imported, so they are neither compiled nor checked
  const bare = { ...node, ...own(raw.nodes, node.id), metadata: omit(node.metadata, ["vapi"]) };
  const { config, losses } = emitAssistant(asNew({ ...raw, nodes: { ...raw.nodes, [node.id]: bare } }), options);
  const { messages, tools } = recordAt({ ...config }, "model");
  const prompt = String(getAt(messages, [0, "content"]) ?? "");
  const written = writeMember({ tools: [], transitions: [], state_prompt: prompt }, home, createDirectory([]));
  const assistant = recordAt(written, "assistant");
  const model = { ...recordAt(assistant, "model"), ...(tools ? { tools } : {}) };
  return { config: { ...written, assistant: { ...assistant, ...openingIn({ ...config }), model } }, losses };
}

/** Writes the node's id to the metadata if Callweave emitted the assistant, else to the assistant's name. */
function named({ source_metadata: { name } }: AgentGraph, { id }: AgentNode, home: JsonObject): JsonObject {
  const isHinted = isText(getAt(home, NODE_HINT));
  const hinted = isHinted ? setAt(home, NODE_HINT, id) : home;
  const isUnnamed = isHinted || (id === UNNAMED_ASSISTANT && !isText(getAt(home, ["assistant", "name"])));
  return name || !isUnnamed ? setAt(hinted, ["assistant", "name"], name || id) : hinted;
}
