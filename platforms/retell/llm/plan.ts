import { Names, own, sameJson } from "../../../src/base/values/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  callersOf,
  type ToolDefinition,
  type Transition,
} from "../../../src/document/graph/mod.ts";
import { isTerminal } from "../../lower/mod.ts";
import { llmKeys, NAME_LIMIT, retellName } from "../shared/mod.ts";
import { parameterNodes, SINGLE_NODE } from "./emit_tools.ts";

/** How nodes map to states, tools and parameters. */
export interface LlmPlan {
  /** Nodes that become states, in order; for a single prompt, its only node. */
  readonly states: readonly AgentNode[];
  /** Whether the LLM has a single prompt instead of states. */
  readonly single: boolean;
  /** End and transfer nodes that become general tools. */
  readonly globalCalls: readonly AgentNode[];
  /** Ids of the nodes with a transition to a node, by its id. */
  readonly callers: ReadonlyMap<string, ReadonlySet<string>>;
  /** Extract nodes that become parameters of the edges to them. */
  readonly parameters: ReadonlySet<string>;
  /** Tools that every conversation node has. */
  readonly generalTools: readonly ToolDefinition[];
  /** Name in the LLM by node id. */
  readonly names: ReadonlyMap<string, string>;
  /** A second name for general tools that are also the target of a transition. */
  readonly localNames: ReadonlyMap<string, string>;
}

/** Returns the name of the tool for an end or a transfer: for a transition, the name in its state. */
export function exitToolName({ names, localNames }: LlmPlan, { id }: AgentNode, transition?: Transition): string {
  const local = transition && !isRepeated(transition) ? localNames.get(id) : undefined;
  return local ?? names.get(id) ?? id;
}

/** Whether the imported document has another transition to the same node. */
export function isRepeated(transition: Transition): boolean {
  return llmKeys(transition).repeated === true;
}

/**
 * Plans how a graph becomes an LLM.
 *
 * @param imported The graph before any edits: renaming the only node of a single prompt does not make it a state.
 */
export function planLlm(graph: AgentGraph, imported?: AgentGraph): LlmPlan {
  const nodes = Object.values(graph.nodes);
  const parameters = parameterNodes(graph);
  // an entry node that ends or transfers the call becomes a state that calls its own tool
  const isEntry = ({ id }: AgentNode) => id === graph.entry_node_id;
  const states = nodes.filter((node) => isEntry(node) || (!isTerminal(node) && !parameters.has(node.id)));
  const calls = nodes.filter((node) => isTerminal(node) && !isEntry(node));
  const [first] = states;
  const hasName = first?.id === SINGLE_NODE || (imported && planLlm(imported).single);
  const single = states.length === 1 && hasName === true && isSinglePrompt(graph, first);
  const callers = callersOf(nodes);
  // tools need unique names; an imported LLM keeps its names
  const native = graph.source_type === "retell-llm";
  const callNames = new Names(native ? [] : nodes.flatMap(({ tools }) => tools.map(({ name }) => retellName(name))));
  const names = native
    ? new Map(nodes.map(({ id }) => [id, id]))
    : new Map([...namesOf(states, new Names()), ...namesOf(calls, callNames)]);
  const globalCalls = calls.filter((node) => node.global_node_setting);
  const localName = (id: string) => callNames.take(names.get(id) ?? retellName(id), NAME_LIMIT);
  return {
    states,
    single,
    globalCalls,
    parameters,
    callers,
    generalTools: single ? [] : generalTools(states),
    names,
    localNames: new Map(globalCalls.flatMap(({ id }) => (callers.has(id) ? [[id, localName(id)] as const] : []))),
  };
}

/** Whether a tool was imported as a general tool. */
function isMarkedGeneral(tool: ToolDefinition): boolean {
  return llmKeys(tool).general === true;
}

/** Whether the only state has nothing besides the general prompt. */
function isSinglePrompt(graph: AgentGraph, node?: AgentNode): boolean {
  if (node?.node_type !== "conversation") return false;
  const isCall = (id: string) => isTerminal(own(graph.nodes, id) ?? node);
  return (
    node.state_prompt === "" &&
    node.instruction_type !== "static_text" &&
    node.variables_to_extract.length === 0 &&
    !node.tools.some(isMarkedGeneral) &&
    node.transitions.every(({ target_node_id: id, condition }) => isCall(id) && condition.type === "llm_prompt") &&
    Object.values(graph.nodes).every((each) => !each.global_node_setting)
  );
}

/** Returns the general tools that are still equal at all conversation nodes. */
function generalTools(states: readonly AgentNode[]): readonly ToolDefinition[] {
  const talking = states.filter((node) => node.node_type === "conversation");
  const [first, ...others] = talking.map((node) => node.tools.filter(isMarkedGeneral));
  return (first ?? []).filter((tool) => others.every((tools) => tools.some((other) => sameJson(other, tool))));
}

/** Assigns names to nodes. Ids that Retell accepts come first, so that they are kept as names. */
function namesOf(nodes: readonly AgentNode[], names: Names): readonly (readonly [id: string, name: string])[] {
  const isFitting = ({ id }: AgentNode) => retellName(id) === id;
  const inOrder = [...nodes.filter(isFitting), ...nodes.filter((node) => !isFitting(node))];
  return inOrder.map(({ id }) => [id, names.take(retellName(id), NAME_LIMIT)] as const);
}
