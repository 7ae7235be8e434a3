import type { AgentGraph, AgentNode, ToolDefinition, Transition } from "../../../src/graph/mod.ts";
import { own as ownKey, sameJson } from "../../../src/values/mod.ts";
import { createNames, NAME_LIMIT, retellName } from "./names.ts";
import { parameterNodes } from "./parameters.ts";
import { llmKeys, SINGLE_NODE } from "./schema.ts";

/** How nodes map to states, tools and parameters. */
export interface Plan {
  /** Nodes that become states, in order; of a single prompt the one node. */
  readonly states: readonly AgentNode[];
  /** Whether the LLM has no states at all. */
  readonly single: boolean;
  /** End and transfer nodes that can be entered from everywhere. */
  readonly globalCalls: readonly AgentNode[];
  /** The nodes with a transition to each node. */
  readonly callers: ReadonlyMap<string, ReadonlySet<string>>;
  /** Extract nodes that are the parameters of the edges to them. */
  readonly parameters: ReadonlySet<string>;
  /** Tools that every conversation node has. */
  readonly generalTools: readonly ToolDefinition[];
  /** Name in the LLM by node id. */
  readonly names: ReadonlyMap<string, string>;
  /** A second name for calls that can be entered from everywhere and have a way of their own as well. */
  readonly localNames: ReadonlyMap<string, string>;
}

/** The name of the tool that goes to an end or a transfer; by a transition, the one that its state has. */
export function callName({ names, localNames }: Plan, { id }: AgentNode, transition?: Pick<Transition, "metadata">) {
  const local = transition && !isRepeated(transition) ? localNames.get(id) : undefined;
  return local ?? names.get(id) ?? id;
}

/** Whether a way stands beside another one to the same place, as it did where it came from. */
export function isRepeated({ metadata }: Pick<Transition, "metadata">): boolean {
  return llmKeys(metadata).repeated === true;
}

/** Whether a node is a tool in the LLM. */
export function isCall(node: AgentNode): boolean {
  return node.node_type === "end" || node.node_type === "transfer";
}

/** Decides what becomes of each node. */
export function planLlm(graph: AgentGraph): Plan {
  const nodes = Object.values(graph.nodes);
  const parameters = parameterNodes(graph);
  // a call must start somewhere: an end or a transfer at the entry becomes a state that takes its own tool
  const states = nodes.filter((node) => (!isCall(node) && !parameters.has(node.id)) || node.id === graph.entry_node_id);
  const single = isSinglePrompt(graph, states);
  const callers = callersOf(nodes);
  // the model tells tools by their names; what came from an LLM has the names that it had there
  const native = graph.source_type === "retell-llm";
  const toolNames = native ? [] : nodes.flatMap((node) => node.tools.map(({ name }) => retellName(name)));
  const callNames = createNames(NAME_LIMIT, toolNames);
  const calls = nodes.filter((node) => isCall(node) && !states.includes(node));
  const names = native
    ? new Map(nodes.map(({ id }) => [id, id]))
    : new Map([...namesOf(states), ...namesOf(calls, callNames)]);
  const globals = nodes.filter((node) => node.global_node_setting);
  const globalCalls = globals.filter((node) => isCall(node) && node.id !== graph.entry_node_id);
  const called = globalCalls.filter(({ id }) => callers.has(id));
  return {
    states,
    single,
    globalCalls,
    parameters,
    callers,
    generalTools: single ? [] : generalTools(states),
    names,
    localNames: new Map(called.map(({ id }) => [id, callNames.take(names.get(id) ?? retellName(id))] as const)),
  };
}

/** The nodes with a transition to each node, by its id. */
export function callersOf(nodes: Iterable<AgentNode>): ReadonlyMap<string, ReadonlySet<string>> {
  const callers = new Map<string, Set<string>>();
  for (const { id, transitions } of nodes)
    for (const { target_node_id: target } of transitions) {
      const known = callers.get(target);
      if (known) known.add(id);
      else callers.set(target, new Set([id]));
    }
  return callers;
}

/** Whether a tool was general where it came from. */
export function isMarkedGeneral(tool: ToolDefinition): boolean {
  return llmKeys(tool.metadata).general === true;
}

/** One conversation node of the well-known id that says nothing beside the general prompt, and tools. */
function isSinglePrompt(graph: AgentGraph, states: readonly AgentNode[]): boolean {
  const [node] = states;
  if (!node || states.length > 1 || node.id !== SINGLE_NODE || node.node_type !== "conversation") return false;
  return (
    node.state_prompt === "" &&
    node.instruction_type !== "static_text" &&
    !node.global_node_setting &&
    node.variables_to_extract.length === 0 &&
    !node.tools.some(isMarkedGeneral) &&
    node.transitions.every(
      ({ target_node_id: id, condition }) => isCallId(graph, id) && condition.type === "llm_prompt",
    ) &&
    Object.values(graph.nodes).every((other) => !other.global_node_setting)
  );
}

/** A tool is general for as long as all conversation nodes have it alike. */
function generalTools(states: readonly AgentNode[]): readonly ToolDefinition[] {
  const talking = states.filter((node) => node.node_type === "conversation");
  const [first, ...others] = talking.map((node) => node.tools.filter(isMarkedGeneral));
  return (first ?? []).filter((tool) => others.every((tools) => tools.some((other) => sameJson(other, tool))));
}

/** Names that fit as they are come first, so that one that has to give way is one that had to change anyway. */
function namesOf(
  nodes: readonly AgentNode[],
  names = createNames(NAME_LIMIT),
): readonly (readonly [id: string, name: string])[] {
  const fitting = nodes.filter(({ id }) => retellName(id) === id);
  const changed = nodes.filter(({ id }) => retellName(id) !== id);
  return [...fitting, ...changed].map(({ id }) => [id, names.take(retellName(id))] as const);
}

function isCallId(graph: AgentGraph, id: string): boolean {
  const node = ownKey(graph.nodes, id);
  return node !== undefined && isCall(node);
}
