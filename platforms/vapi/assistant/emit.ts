import { replacePlaceholders } from "../../../src/expressions/mod.ts";
import type { AgentGraph, AgentNode } from "../../../src/graph/mod.ts";
import { getAt, isRecord, type JsonObject, omit, own, recordAt, setAt } from "../../../src/values/mod.ts";
import type { EmitOptions, Loss, PlainEmitted } from "../../platform.ts";
import { emitAssistant } from "../compile/mod.ts";
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
  writeMember,
  writeOpening,
} from "../shared/mod.ts";
import { OVERRIDES, UNNAMED, VARIABLES } from "./places.ts";

/**
 * Writes a graph as an assistant: one that came from an assistant into that assistant, any other anew. When nodes were
 * added to an imported assistant, its prompt, tools and opening are emitted as for any other graph, and its voice and all
 * else stay.
 */
export function emitAssistantGraph(document: AgentGraph, options: EmitOptions = {}): PlainEmitted<unknown> {
  const graph = lowerCalls(document);
  const nodes = Object.values(graph.nodes);
  const node = nodes.find((candidate) => homeOf(candidate));
  const found = node && homeOf(node);
  if (recordAt(graph.source_metadata, "vapi").kind !== "assistant" || !found)
    return emitAssistant(withRawTools(graph), options);
  const isAlone = nodes.length === 1 && isPlain(node);
  const [settled = {}] = withDefaultModel([named(node, found)], graph.default_model);
  const { home, losses } = isAlone ? writeAlone(graph, node, settled) : writeSteps(graph, node, settled, options);
  return { config: isRecord(home[OVERRIDES]) ? home : home.assistant, losses };
}

/** Whether a node is no more than a prompt with tools. */
function isPlain(node: AgentNode): boolean {
  return node.transitions.length === 0 && !node.global_node_setting && node.instruction_type !== "static_text";
}

/** An assistant with its overrides, as far as it is written. */
interface Written {
  readonly home: JsonObject;
  readonly losses: readonly Loss[];
}

function writeAlone(graph: AgentGraph, node: AgentNode, home: JsonObject): Written {
  const defaults = graph.source_metadata.default_dynamic_variables;
  const hasPlace = Object.hasOwn(home, OVERRIDES);
  const prompt = ownPrompt(graph, node.state_prompt);
  const words = graph.source_metadata.begin_message;
  const texts = [prompt, ...(typeof words === "string" ? [words] : [])];
  const { texts: told, losses } = hasPlace ? { texts, losses: [] } : withDefaults(graph, texts);
  const [text = "", opening] = told;
  const written = writeMember({ ...node, state_prompt: text }, home, createDirectory([]));
  const source = { ...graph.source_metadata, ...(opening === undefined ? {} : { begin_message: opening }) };
  const opened = writeOpening(written, source);
  return { home: defaults && hasPlace ? setAt(opened, VARIABLES, defaults) : opened, losses };
}

/** The assistant's own settings, with the prompt, tools and opening of the steps that the graph has become. */
function writeSteps(graph: AgentGraph, node: AgentNode, home: JsonObject, options: EmitOptions): Written {
  const raw = withRawTools(graph);
  // its settings stay where they are, and are not held to anything on the way
  const nodes = Object.entries(raw.nodes).map(([id, each]): [string, AgentNode] =>
    id === node.id ? [id, { ...each, metadata: omit(each.metadata, ["vapi"]) }] : [id, each],
  );
  const rest: AgentGraph = {
    ...raw,
    nodes: Object.fromEntries(nodes),
    source_type: "custom",
    source_metadata: omit(graph.source_metadata, ["vapi"]),
  };
  const { config, losses } = emitAssistant(rest, options);
  const { model, firstMessage, firstMessageMode } = config;
  const steps: JsonObject = { ...(isRecord(model) ? model : {}) };
  const bare = writeMember({ tools: [], transitions: [], state_prompt: "" }, home, createDirectory([]));
  const assistant = recordAt(bare, "assistant");
  const written = {
    ...assistant,
    ...(firstMessage === undefined ? {} : { firstMessage }),
    ...(firstMessageMode === undefined ? {} : { firstMessageMode }),
    model: {
      ...recordAt(assistant, "model"),
      messages: steps.messages,
      ...(steps.tools ? { tools: steps.tools } : {}),
    },
  };
  return { home: { ...bare, assistant: written }, losses };
}

/** The assistant under its name, or under the node's id where Callweave has written it down. */
function named(node: AgentNode, home: JsonObject): JsonObject {
  const hint = getAt(home, NODE_HINT);
  if (isText(hint)) return hint === node.id ? home : setAt(home, NODE_HINT, node.id);
  const isUnnamed = node.id === UNNAMED && !isText(getAt(home, ["assistant", "name"]));
  return isUnnamed ? home : setAt(home, ["assistant", "name"], node.id);
}

/** Texts with defaults in their placeholders, and the loss of each default. */
interface Defaulted {
  readonly texts: readonly string[];
  readonly losses: readonly Loss[];
}

/** Writes the defaults of variables into the placeholders of texts: a saved assistant has no other place for them. */
function withDefaults(graph: AgentGraph, texts: readonly string[]): Defaulted {
  const defaults = graph.source_metadata.default_dynamic_variables ?? {};
  const named = new Set<string>();
  const written = texts.map((text) =>
    replacePlaceholders(text, (name) => {
      const value: unknown = own(defaults, name);
      if (value === undefined) return undefined;
      named.add(name);
      return `{{ ${name} | default: ${liquidText(typeof value === "string" ? value : JSON.stringify(value))} }}`;
    }),
  );
  const losses = Object.keys(defaults).map(
    (name): Loss => ({
      code: "variable-default",
      kind: named.has(name) ? "emulated" : "dropped",
      path: ["source_metadata", "default_dynamic_variables", name],
      message: "A saved assistant has no place for a variable's default",
      ...(named.has(name) ? { instead: "the default in each placeholder of its prompt and opening" } : {}),
      hint: "Give the variable a value in each call, or emit a squad",
    }),
  );
  return { texts: written, losses };
}
