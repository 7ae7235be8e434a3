import type { AgentGraph, AgentNode } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit, own } from "../../../src/values/mod.ts";
import type { EmitOptions, Loss, PlainEmitted } from "../../platform.ts";
import { emitAssistant } from "../compile/mod.ts";
import {
  closeEnvelope,
  createDirectory,
  getAt,
  lowerCalls,
  type MemberKept,
  memberKept,
  modelOf,
  NODE_HINT,
  ownPrompt,
  recordOr,
  setAt,
  withModel,
  withRawTools,
  writeMember,
  writeOpening,
} from "../shared/mod.ts";
import { withDefaults } from "./defaults.ts";
import { OVERRIDES, UNNAMED, VARIABLES } from "./places.ts";

/**
 * Writes a graph as an assistant: one that came from an assistant into that assistant, any other anew. When nodes were
 * added to an imported assistant, its prompt, tools and opening are emitted as for any other graph, and its voice and all
 * else stay.
 */
export function emitAssistantGraph(document: AgentGraph, options: EmitOptions = {}): PlainEmitted<unknown> {
  const graph = lowerCalls(document);
  const kept = graph.source_metadata.vapi;
  const nodes = Object.values(graph.nodes);
  const node = nodes.find((candidate) => memberKept(candidate));
  const member = node && memberKept(node);
  if (!isRecord(kept) || kept.kind !== "assistant" || !member) return emitAssistant(withRawTools(graph), options);
  const isAlone = nodes.length === 1 && isPlain(node);
  const { home, losses } = isAlone ? writeAlone(graph, node, member, kept) : writeSteps(graph, node, member, options);
  const overrides = own(home, OVERRIDES);
  const around = isRecord(overrides) && isRecord(kept.around) ? setAt(kept, ["around", OVERRIDES], overrides) : kept;
  return { config: closeEnvelope(around, recordOr(home.assistant)), losses };
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

function writeAlone(graph: AgentGraph, node: AgentNode, member: MemberKept, kept: JsonObject): Written {
  const defaults = graph.source_metadata.default_dynamic_variables;
  const hasPlace = Object.hasOwn(member.home, OVERRIDES) || getAt(kept.at, [0]) === "assistant";
  const prompt = ownPrompt(graph, node.state_prompt);
  const words = graph.source_metadata.begin_message;
  const texts = [prompt, ...(typeof words === "string" ? [words] : [])];
  const { texts: told, losses } = hasPlace ? { texts, losses: [] } : withDefaults(graph, texts);
  const [text = "", opening] = told;
  const written = writeMember({ ...node, state_prompt: text }, named(node, member), member, createDirectory([]));
  const source = { ...graph.source_metadata, ...(opening === undefined ? {} : { begin_message: opening }) };
  const opened = writeOpening(written, source, member.all.message_at);
  const withValues = defaults && hasPlace ? setAt(opened, VARIABLES, defaults) : opened;
  return { home: withDefaultModel(withValues, graph), losses };
}

/** The assistant's own settings, with the prompt, tools and opening of the steps that the graph has become. */
function writeSteps(graph: AgentGraph, node: AgentNode, member: MemberKept, options: EmitOptions): Written {
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
  const bare = writeMember(
    { tools: [], transitions: [], state_prompt: "" },
    named(node, member),
    member,
    createDirectory([]),
  );
  const assistant = recordOr(withDefaultModel(bare, graph).assistant);
  const own = isRecord(assistant.model) ? assistant.model : {};
  const written = {
    ...assistant,
    ...(firstMessage === undefined ? {} : { firstMessage }),
    ...(firstMessageMode === undefined ? {} : { firstMessageMode }),
    model: { ...own, messages: steps.messages, ...(steps.tools ? { tools: steps.tools } : {}) },
  };
  return { home: { ...bare, assistant: written }, losses };
}

/** The assistant under its name, and under the node's id where Callweave has written it down. */
function named(node: AgentNode, member: MemberKept): JsonObject {
  const isHinted = member.all.hinted === true;
  const isNamed = Array.isArray(member.all.name_at) || (node.id !== UNNAMED && !isHinted);
  const home = isNamed ? setAt(member.home, ["assistant", "name"], node.id) : member.home;
  return isHinted ? setAt(home, NODE_HINT, node.id) : home;
}

function withDefaultModel(home: JsonObject, { default_model: wanted }: AgentGraph): JsonObject {
  return wanted && wanted !== modelOf(home) ? withModel(home, wanted) : home;
}
