import { diffGraphs } from "../../src/agent/analysis/mod.ts";
import { type AgentGraph, type AgentNode, parseGraph } from "../../src/document/graph/mod.ts";
import type { Figure } from "../figure.ts";
import { exponentOf, LARGE, N_LOG_N_BOUND, SMALL } from "./growth.ts";
import { largeGraph } from "./large_graph.ts";

type Edit = (id: string, node: AgentNode, index: number) => readonly [id: string, node: AgentNode] | undefined;

/** Edits of a graph that are difficult in different ways. */
const EDITS: { readonly [name: string]: Edit } = {
  "every tenth prompt reworded, every twentieth node renamed, every fiftieth removed": (id, node, index) => {
    if (index % 50 === 7) return undefined;
    const text = index % 10 === 0 ? node.state_prompt.replace(" ", " kindly ") : node.state_prompt;
    return [index % 20 === 1 ? `${id}_new` : id, { ...node, state_prompt: text }];
  },
  "all nodes renamed": (id, node) => [`${id}_new`, node],
  "all nodes renamed and reworded": (id, node) => [
    `${id}_new`,
    { ...node, state_prompt: `${node.state_prompt.slice(0, -20)} and more` },
  ],
  "all nodes renamed, all prompts replaced by one": (id, node) => [
    `${id}_new`,
    { ...node, state_prompt: "Say hello." },
  ],
};

/** Duration of diffGraphs() for graphs of growing size, for the slowest kind of edit. */
export function diffFigures(): readonly Figure[] {
  const measured = Object.entries(EDITS).map(([name, edit]) => ({
    name,
    ...exponentOf((count) => {
      const before = largeGraph(count);
      const after = editedGraph(before, edit);
      return () => diffGraphs(before, after);
    }),
  }));
  const [worst] = measured.toSorted((a, b) => b.exponent - a.exponent);
  if (!worst) return [];
  const sizes = `${SMALL} and ${LARGE} nodes`;
  const times = measured.map(({ ms, exponent }) => `${ms} ms (${exponent})`).join(", ");
  return [
    {
      name: "diff_exponent",
      value: worst.exponent,
      unit: "exponent",
      against: `${sizes}; worst of ${measured.length} kinds of edits: ${worst.name}; at ${LARGE}: ${times}`,
      bound: N_LOG_N_BOUND,
    },
  ];
}

function editedGraph(graph: AgentGraph, edit: Edit): AgentGraph {
  const edited = Object.entries(graph.nodes).map(([id, node], index) => [id, edit(id, node, index)] as const);
  const names = new Map(edited.flatMap(([id, entry]) => (entry ? [[id, entry[0]] as const] : [])));
  const fallback = [...names.values()].at(-1) ?? "";
  const follow = (id: string) => names.get(id) ?? fallback;
  const nodes = edited.flatMap(([, entry]) => {
    if (!entry) return [];
    const [id, node] = entry;
    const transitions = node.transitions.map((each) => ({ ...each, target_node_id: follow(each.target_node_id) }));
    return [[id, { ...node, id, transitions }] as const];
  });
  return parseGraph({ ...graph, entry_node_id: follow(graph.entry_node_id), nodes: Object.fromEntries(nodes) });
}
