import {
  canonicalJson,
  isRecord,
  type JsonObject,
  Names,
  omit,
  pick,
  recordAt,
  records,
} from "../../../src/base/values/mod.ts";
import { type AgentGraph, callersOf, type Finding, parseGraph } from "../../../src/document/graph/mod.ts";
import { mapLoweredNodes } from "../../lower/mod.ts";
import { unknownShape } from "../../platform.ts";
import {
  type Field,
  getFields,
  isString,
  keep,
  LLM_OWNER,
  openContainer,
  otherBodies,
  readName,
  readRetellTool,
  SHARED_FIELDS,
  withMetadata,
} from "../shared/mod.ts";
import { CALL_TOOLS, callKeys, importParameters, isCallToolType, SINGLE_NODE, sharedSettings } from "./emit_tools.ts";

/** Keys of an LLM in the graph's source metadata. */
export const LLM_FIELDS: readonly Field[] = [
  { graph: "general_prompt", fits: isString },
  { graph: "begin_message", fits: isString },
  ...SHARED_FIELDS,
];

/** Keys of an LLM that the graph has in other places. */
const MODELLED = [...LLM_FIELDS.map(({ graph }) => graph), "model", "states", "starting_state", "general_tools"];

type Named = JsonObject & { readonly name: string };

/** Returns the likelihood that a document is a Retell LLM, judged by its keys. */
export function detectLlm(document: unknown): number {
  const opened = openContainer(document);
  if (opened?.kind !== "llm") return 0;
  const { body, agent } = opened;
  if (agent) return 0.95;
  if (records(body.states).some(isState) || Array.isArray(body.general_tools)) return 0.9;
  if (isString(body.llm_id) || isString(body.starting_state)) return 0.9;
  return isString(body.general_prompt) ? 0.6 : 0;
}

/** Whether an object has a part that only Retell's states have: other tools also have lists of states. */
function isState(state: JsonObject): boolean {
  if (isString(state.state_prompt) || Array.isArray(state.tools)) return true;
  return records(state.edges).some((edge) => isString(edge.destination_state_name));
}

/**
 * Imports a Retell LLM, single or multi prompt, in any container.
 *
 * @throws {PlatformError} `unknown-shape` with the first problem.
 */
export function importLlm(document: unknown, report: (finding: Finding) => void = () => {}): AgentGraph {
  const opened = openContainer(document);
  if (opened?.kind !== "llm") {
    const hint = 'Pass an LLM with "general_prompt" or "states", or an agent export with "retellLlmData"';
    throw unknownShape("Retell LLM", "it has no key of an LLM", [], hint);
  }
  const { body, agent, path } = opened;
  for (const finding of otherBodies(document, opened)) report(finding);
  const listed = readStates(body, path);
  const isSingle = listed.length === 0;
  // a single prompt is one state with the general tools
  const { nodes, ids } = isSingle
    ? importStates([{ name: SINGLE_NODE, tools: body.general_tools }], [])
    : importStates(listed, body.general_tools);
  const start = isString(body.starting_state) ? ids.get(body.starting_state) : undefined;
  const retell = {
    ...pick(body, sharedSettings()),
    // the engine is not a setting of the agent, because a flow has another one
    ...(agent ? { agent: omit(agent, ["response_engine"]) } : {}),
  };
  const graph = parseGraph({
    nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
    entry_node_id: start ?? nodes[0]?.id,
    source_type: "retell-llm",
    source_metadata: {
      ...readName(agent),
      ...getFields(body, LLM_FIELDS),
      ...keep(retell),
      ...keep(omit(body, [...MODELLED, ...sharedSettings()]), LLM_OWNER),
    },
    ...(isString(body.model) ? { default_model: body.model } : {}),
  });
  return withWaysBack(graph);
}

/** Returns the nodes of states, then those of parameters and end tools; and the ids of states by name. */
function importStates(states: readonly Named[], generalTools: unknown) {
  const names = new Names();
  const ids = new Map<string, string>();
  const all = states.map((state) => ({ state, id: names.take(state.name) }));
  for (const { state, id } of all) if (!ids.has(state.name)) ids.set(state.name, id);
  const callNodes = new CallNodes(names);
  const between: JsonObject[] = [];
  const general = readTools(generalTools);
  const shared = general.tools.map((tool) => ({
    ...tool,
    metadata: { ...recordAt(tool, "metadata"), [LLM_OWNER]: { general: true } },
  }));
  for (const call of general.calls) callNodes.addGlobal(call);
  const nodes = all.map(({ state, id }) => {
    const { tools, calls } = readTools(state.tools);
    const [taken, called] = [new Set<string>(), new Set<string>()];
    const edges = records(state.edges).flatMap((edge) => {
      const target = isString(edge.destination_state_name) ? ids.get(edge.destination_state_name) : undefined;
      if (target === undefined) return [];
      const filling = importParameters(edge.parameters, () => names.take(`${id}_to_${target}`), target);
      if (filling) between.push(filling);
      const known = ["destination_state_name", "description", ...(filling ? ["parameters"] : [])];
      const kept = { ...omit(edge, known), ...(taken.has(target) ? { repeated: true } : {}) };
      taken.add(target);
      const condition = { type: "llm_prompt", value: isString(edge.description) ? edge.description : "" };
      return [withMetadata({ target_node_id: filling?.id ?? target, condition }, kept, LLM_OWNER)];
    });
    return {
      id,
      node_type: "conversation",
      state_prompt: isString(state.state_prompt) ? state.state_prompt : "",
      tools: [...shared, ...tools],
      transitions: [...edges, ...calls.map((call) => callNodes.add(call, called))],
    };
  });
  return { ids, nodes: [...nodes, ...between, ...callNodes.nodes] };
}

/** Reads a list of tools, and separates those that are nodes in the graph. Unnamed tools cannot be called. */
function readTools(value: unknown) {
  const named = records(value).filter((tool): tool is Named => isString(tool.name));
  const tools = named.filter((tool) => !isCallTool(tool)).map((tool) => readRetellTool(tool));
  return { tools, calls: named.filter(isCallTool) };
}

/** Adds a transition for a failed transfer back to the state that called it, if only one state has the tool. */
function withWaysBack(graph: AgentGraph): AgentGraph {
  const callers = callersOf(Object.values(graph.nodes));
  return mapLoweredNodes(graph, (node) => {
    const [source, ...others] = callers.get(node.id) ?? [];
    if (node.node_type !== "transfer" || node.global_node_setting || source === undefined || others.length > 0)
      return node;
    const condition = { type: "tool_call", value: "", outcome: "failed" } as const;
    return { ...node, transitions: [{ target_node_id: source, condition }] };
  });
}

/** Returns the states of an LLM; empty for a single prompt. */
function readStates({ states }: JsonObject, path: readonly (string | number)[]): readonly Named[] {
  const hint = 'Pass each state as { "name": "greeting", "state_prompt": "…", "edges": [], "tools": [] }';
  if (states === undefined || states === null) return [];
  if (!Array.isArray(states)) throw unknownShape("Retell LLM", '"states" is not a list', [...path, "states"], hint);
  return states.map((state: unknown, index) => {
    const at = [...path, "states", index];
    if (!isRecord(state)) throw unknownShape("Retell LLM", `state ${index} is not an object`, at, hint);
    const { name } = state;
    if (!isString(name)) throw unknownShape("Retell LLM", `state ${index} has no name`, [...at, "name"], hint);
    return { ...state, name };
  });
}

/** A tool that ends or transfers the call. */
type CallTool = JsonObject & { readonly type: keyof typeof CALL_TOOLS; readonly name: string };

/** Whether a tool is a node in the graph. */
function isCallTool(tool: JsonObject & { readonly name: string }): tool is CallTool {
  return isCallToolType(tool.type);
}

type CallNode = JsonObject & { readonly id: string };

/** Converts tools to end and transfer nodes. Tools of states that differ only in their description share a node. */
class CallNodes {
  readonly nodes: CallNode[] = [];
  readonly #names: Names;
  readonly #byContent = new Map<string, CallNode>();

  /** @param names Assigns ids. The ids of states must be taken. */
  constructor(names: Names) {
    this.#names = names;
  }

  /** Adds a general tool as a global node, which it does not share with other tools. */
  addGlobal(tool: CallTool): void {
    this.#create(tool, { global_node_setting: { condition: descriptionOf(tool), go_back_conditions: [] } });
  }

  /**
   * Adds a state's tool and returns the transition to its node.
   *
   * @param taken Targets of the state's transitions. The new target is added.
   */
  add(tool: CallTool, taken: Set<string>): JsonObject {
    const { id, global_node_setting: general } = this.#byContent.get(contentOf(tool)) ?? this.#create(tool);
    // two tools of a state with the same name stay separate
    const repeated = taken.has(id) || general !== undefined;
    taken.add(id);
    const transition = { target_node_id: id, condition: { type: "llm_prompt", value: descriptionOf(tool) } };
    return withMetadata(transition, repeated ? { repeated } : {}, LLM_OWNER);
  }

  #create(tool: CallTool, setting: JsonObject = {}): CallNode {
    const node = { ...nodeFrom(tool), ...setting, id: this.#names.take(tool.name || tool.type) };
    this.nodes.push(node);
    this.#byContent.set(contentOf(tool), node);
    return node;
  }
}

/** Removes the description, which is the condition of the transition. */
function descriptionOf({ description }: CallTool): string {
  return isString(description) ? description : "";
}

function contentOf(tool: CallTool): string {
  return canonicalJson([tool.name, nodeFrom(tool)]);
}

function nodeFrom({ type, ...tool }: CallTool): JsonObject {
  const { execution_message_description: message, execution_message_type: kind } = tool;
  const speaks = tool.speak_during_execution === true && isString(message) && message !== "";
  return {
    node_type: CALL_TOOLS[type],
    state_prompt: speaks ? message : "",
    ...(speaks && (kind === "prompt" || kind === "static_text") ? { instruction_type: kind } : {}),
    metadata: keep({ ...(type === "agent_swap" ? { type } : {}), ...pick(tool, callKeys(type)) }),
  };
}
