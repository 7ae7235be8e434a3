import type { AgentGraph, AgentNode, ToolDefinition, Transition } from "../../src/document/graph/mod.ts";

/** A change to a graph's structure. */
export interface StructuralEdit {
  readonly what: string;
  readonly graph: AgentGraph;
  /** Ids and names of the objects that the change removes or moves. */
  readonly gone: readonly string[];
  /** Name before the change of the node or tool that it renames. */
  readonly renamed?: string;
}

/** Returns the changes of one kind that are possible in a graph. */
type Kind = (graph: AgentGraph, nodes: readonly AgentNode[]) => readonly StructuralEdit[];

const NEW_TOOL: ToolDefinition = {
  name: "look_up_order",
  description: "Looks an order up",
  type: "custom",
  url: "https://example.com/orders",
  parameters: { type: "object", properties: { order: { type: "string" } } },
};

/** All kinds of changes: rename, add, delete, reorder and retarget nodes, edges and tools. */
const KINDS: readonly Kind[] = [
  // the only node of a document with one prompt has no name
  (graph, nodes) =>
    nodes.length < 2
      ? []
      : nodes.map(({ id }) => ({ ...edit(`rename node ${id}`, renamed(graph, id, `${id}_renamed`)), renamed: id })),
  (graph, nodes) => onPrompts(nodes, (node, index) => between(graph, node, index)),
  (graph, nodes) => nodes.flatMap(({ id }) => withoutNode(graph, id)),
  (graph, nodes) =>
    nodes.slice(1).flatMap(({ id }, index) => {
      const other = nodes[index]?.id ?? id;
      if ([id, other].includes(graph.entry_node_id)) return [];
      const swap = (each: string) => (each === id ? other : each === other ? id : each);
      const order = Object.keys(graph.nodes).map((each) => graph.nodes[swap(each)]);
      return [edit(`reorder nodes ${other} and ${id}`, withNodes(graph, order))];
    }),
  (graph, nodes) =>
    onPrompts(nodes, (node, index) =>
      nodes.slice(0, 3).map(({ id }) => {
        const added: Transition = { target_node_id: id, condition: { type: "llm_prompt", value: `Wants ${id}` } };
        const transitions = node.transitions.toSpliced(index, 0, added);
        return edit(`add edge to ${id} in front of ${index}`, withNode(graph, { ...node, transitions }));
      }),
    ),
  (graph, nodes) =>
    onPrompts(nodes, (node, index) => [
      edit(`delete edge ${index}`, withNode(graph, { ...node, transitions: node.transitions.toSpliced(index, 1) })),
    ]),
  (graph, nodes) =>
    onPrompts(nodes, (node, index) => {
      const [one, two] = [node.transitions[index], node.transitions[index + 1]];
      const isFree = two?.condition.type === "llm_prompt" && nodes.some(({ id }) => id === two.target_node_id);
      if (!one || !two || !isFree) return [];
      const transitions = node.transitions.with(index, two).with(index + 1, one);
      return [edit(`reorder edges ${index} and ${index + 1}`, withNode(graph, { ...node, transitions }))];
    }),
  (graph, nodes) =>
    onPrompts(nodes, (node, index) =>
      nodes
        .filter(({ id }) => id !== node.id && node.transitions.every((each) => each.target_node_id !== id))
        .slice(0, 3)
        .map(({ id }) => {
          const transitions = node.transitions.map((each, at) =>
            at === index ? { ...each, target_node_id: id } : each,
          );
          return edit(`retarget edge ${index} to ${id}`, withNode(graph, { ...node, transitions }));
        }),
    ),
  (graph, nodes) => nodes.map((node) => onTools(graph, node, "add a tool", [...node.tools, NEW_TOOL])),
  (graph, nodes) =>
    onEachTool(nodes, (node, tool, index) => [
      onTools(graph, node, `delete tool ${tool.name}`, node.tools.toSpliced(index, 1), [tool.name]),
    ]),
  (graph, nodes) =>
    onEachTool(nodes, (node, tool, index) => {
      const name = `${tool.name}_renamed`;
      const tools = node.tools.with(index, { ...tool, name });
      return [{ ...onTools(graph, node, `rename tool ${tool.name}`, tools), renamed: tool.name }];
    }),
  (graph, nodes) =>
    onEachTool(nodes, (node, tool, index) => {
      const next = node.tools[index + 1];
      if (!next) return [];
      const tools = node.tools.with(index, next).with(index + 1, tool);
      return [onTools(graph, node, `reorder tools ${index} and ${index + 1}`, tools)];
    }),
  (graph, nodes) =>
    onEachTool(nodes, (node, tool, index) =>
      nodes
        .filter(({ id, tools }) => id !== node.id && tools.every(({ name }) => name !== tool.name))
        .slice(0, 2)
        .map((target) => {
          const taken = withNode(graph, { ...node, tools: node.tools.toSpliced(index, 1) });
          const moved = withNode(taken, { ...target, tools: [...target.tools, tool] });
          return edit(`${node.id}: move tool ${tool.name} to ${target.id}`, moved, [tool.name]);
        }),
    ),
];

/**
 * Returns changes to a graph's structure, taking turns with the kinds.
 *
 * @param isFree Whether a node's edges and tools can be added, removed and moved.
 * @param seed Kind to start with, so that several documents together cover every kind with few changes each.
 */
export function* structuralEdits(
  graph: AgentGraph,
  isFree: (node: AgentNode, graph: AgentGraph) => boolean,
  seed: number,
): Generator<StructuralEdit> {
  const nodes = Object.values(graph.nodes).filter((node) => node.node_type === "conversation" && isFree(node, graph));
  const kinds = KINDS.map((kind) => kind(graph, nodes));
  const most = Math.max(...kinds.map((edits) => edits.length));
  for (let round = 0; round < most; round++)
    for (const number of KINDS.keys()) {
      const edits = kinds[(number + seed) % kinds.length] ?? [];
      const found = round < edits.length ? edits[(round * 7 + seed) % edits.length] : undefined;
      if (found) yield found;
    }
}

function edit(what: string, graph: AgentGraph, gone: readonly string[] = []): StructuralEdit {
  return { what, graph, gone };
}

function onPrompts(
  nodes: readonly AgentNode[],
  change: (node: AgentNode, index: number) => readonly StructuralEdit[],
): readonly StructuralEdit[] {
  return nodes.flatMap((node) =>
    node.transitions.flatMap(({ condition, target_node_id: target }, index) =>
      condition.type === "llm_prompt" && nodes.some(({ id }) => id === target)
        ? change(node, index).map((found) => ({ ...found, what: `${node.id}: ${found.what}` }))
        : [],
    ),
  );
}

function onEachTool(
  nodes: readonly AgentNode[],
  change: (node: AgentNode, tool: ToolDefinition, index: number) => readonly StructuralEdit[],
): readonly StructuralEdit[] {
  const isFree = ({ type, tool_id: id }: ToolDefinition) => (!type || type === "custom") && !id;
  return nodes.flatMap((node) => node.tools.flatMap((tool, index) => (isFree(tool) ? change(node, tool, index) : [])));
}

function onTools(
  graph: AgentGraph,
  node: AgentNode,
  what: string,
  tools: readonly ToolDefinition[],
  gone: readonly string[] = [],
): StructuralEdit {
  return edit(`${node.id}: ${what}`, withNode(graph, { ...node, tools }), gone);
}

function withNodes(graph: AgentGraph, nodes: readonly (AgentNode | undefined)[]): AgentGraph {
  return { ...graph, nodes: Object.fromEntries(nodes.flatMap((node) => (node ? [[node.id, node]] : []))) };
}

/** Replaces the node of the same id. */
export function withNode(graph: AgentGraph, node: AgentNode): AgentGraph {
  return { ...graph, nodes: { ...graph.nodes, [node.id]: node } };
}

/** Renames a node and all references to it. */
export function renamed(graph: AgentGraph, from: string, to: string): AgentGraph {
  const idOf = (id: string) => (id === from ? to : id);
  const nodes = Object.values(graph.nodes).map((node) => ({
    ...node,
    id: idOf(node.id),
    transitions: node.transitions.map((edge) => ({ ...edge, target_node_id: idOf(edge.target_node_id) })),
  }));
  return { ...withNodes(graph, nodes), entry_node_id: idOf(graph.entry_node_id) };
}

/** Inserts a new node into an edge. */
function between(graph: AgentGraph, node: AgentNode, index: number): readonly StructuralEdit[] {
  const edge = node.transitions[index];
  if (!edge || graph.nodes[edge.target_node_id]?.node_type !== "conversation") return [];
  const id = "ask_name";
  const added: AgentNode = {
    id,
    node_type: "conversation",
    state_prompt: "Ask for the name.",
    tools: [],
    transitions: [{ target_node_id: edge.target_node_id, condition: { type: "llm_prompt", value: "Name is known" } }],
    variables_to_extract: [],
    metadata: {},
  };
  const transitions = node.transitions.with(index, { ...edge, target_node_id: id });
  return [edit(`add a node on edge ${index}`, withNode(withNode(graph, { ...node, transitions }), added))];
}

/** Removes a node and the edges to it, if they all have LLM conditions. */
function withoutNode(graph: AgentGraph, id: string): readonly StructuralEdit[] {
  const nodes = Object.values(graph.nodes);
  const into = nodes.flatMap(({ transitions }) => transitions.filter((edge) => edge.target_node_id === id));
  if (id === graph.entry_node_id || into.some(({ condition }) => condition.type !== "llm_prompt")) return [];
  const left = nodes.flatMap((node) => {
    if (node.id === id) return [];
    return [{ ...node, transitions: node.transitions.filter((edge) => edge.target_node_id !== id) }];
  });
  const tools = (graph.nodes[id]?.tools ?? []).flatMap((tool) => [tool.name, ...(tool.tool_id ? [tool.tool_id] : [])]);
  return [edit(`delete node ${id}`, withNodes(graph, left), [id, ...tools])];
}
