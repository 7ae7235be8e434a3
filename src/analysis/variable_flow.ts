import type { AgentGraph, AgentNode } from "../graph/mod.ts";
import { own } from "../values/mod.ts";

/** Which variables can be set when a call is at a node: before its own work, and after it. */
export interface VariableFlow {
  readonly before: (id: string, variable: string) => boolean;
  readonly after: (id: string, variable: string) => boolean;
}

/** The variables that a node fills: by extraction, or from the results of its tools. */
export function variablesSetBy({ variables_to_extract: variables, tools }: AgentNode): readonly string[] {
  return [
    ...variables.map(({ name }) => name),
    ...tools.flatMap(({ response_variables: filled }) => Object.keys(filled ?? {})),
  ];
}

/** Stands for all global nodes, which every conversation node leads to. */
const GLOBALS = 0;
/** Stands for all nodes that a global node can go back to. */
const BACK = 1;

/**
 * Follows which variables any path can have set, as sets of bits that flow along transitions, entries into global nodes
 * and ways back until nothing changes.
 */
export function variableFlow(graph: AgentGraph, variables: readonly string[]): VariableFlow {
  const ids = Object.keys(graph.nodes);
  const places = new Map(ids.map((id, index) => [id, index + 2]));
  const bits = new Map(variables.map((name, index) => [name, index]));
  const words = Math.ceil(variables.length / 32);
  const count = ids.length + 2;
  const before = new Uint32Array(count * words);
  const sets = new Uint32Array(count * words);
  const edges = edgesOf(graph, places);
  for (const [id, place] of places) {
    const node = own(graph.nodes, id);
    for (const name of node ? variablesSetBy(node) : []) {
      const bit = bits.get(name);
      if (bit !== undefined)
        sets[place * words + (bit >> 5)] = (sets[place * words + (bit >> 5)] ?? 0) | (1 << (bit & 31));
    }
  }
  const open = Array.from({ length: count }, (_, place) => count - 1 - place);
  const isOpen = new Uint8Array(count).fill(1);
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    isOpen[place] = 0;
    for (const target of edges[place] ?? []) {
      let changed = false;
      for (let word = 0; word < words; word++) {
        const old = before[target * words + word] ?? 0;
        const merged = (old | (before[place * words + word] ?? 0) | (sets[place * words + word] ?? 0)) >>> 0;
        if (merged !== old) changed = true;
        before[target * words + word] = merged;
      }
      if (changed && !isOpen[target]) {
        isOpen[target] = 1;
        open.push(target);
      }
    }
  }
  const has = (set: Uint32Array, id: string, variable: string) => {
    const [place, bit] = [places.get(id), bits.get(variable)];
    return (
      place !== undefined && bit !== undefined && (((set[place * words + (bit >> 5)] ?? 0) >>> (bit & 31)) & 1) === 1
    );
  };
  return {
    before: (id, variable) => has(before, id, variable),
    after: (id, variable) => has(before, id, variable) || has(sets, id, variable),
  };
}

function edgesOf(graph: AgentGraph, places: ReadonlyMap<string, number>): readonly (readonly number[])[] {
  const edges: number[][] = Array.from({ length: places.size + 2 }, () => []);
  for (const [id, place] of places) {
    const node = own(graph.nodes, id);
    if (!node) continue;
    const targets = node.transitions.flatMap(({ target_node_id: target }) => places.get(target) ?? []);
    edges[place]?.push(...new Set(targets));
    const { global_node_setting: setting } = node;
    if (node.node_type === "conversation") edges[place]?.push(GLOBALS, place);
    if (setting) edges[GLOBALS]?.push(place);
    if (setting && setting.go_back_conditions.length > 0) edges[place]?.push(BACK);
    edges[BACK]?.push(place);
  }
  return edges;
}
