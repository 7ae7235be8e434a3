import { emit, type FormatName, formatNamed, formats, importAgent } from "../../platforms/mod.ts";
import type { AgentGraph } from "../../src/document/graph/mod.ts";
import * as fc from "../../tests/fast_check.ts";
import { lawGraphs } from "../../tests/platforms/bland/pathway/_graphs.ts";
import { changesItsLines, type Lens, returnsTexts } from "../../tests/platforms/laws.ts";
import { graphs } from "../../tests/platforms/retell/flow/graphs.ts";
import { type Figure, sized } from "../figure.ts";

/** Graphs for each format. */
const GRAPHS = sized(500, 3);
const SEED = 7;
/** Faults that are printed of each law and format. */
const SHOWN = 3;

/** Formats whose emitter compiles a graph, so that a node is many objects, or emits only what it has imported. */
const COMPILED = ["vapi-squad", "vapi-assistant", "vapi-workflow"];

/** Holds documents of generated graphs, whose ids collide or are names such as `__proto__`, against the laws. */
export async function bench(): Promise<readonly Figure[]> {
  const list = fc.sample(fc.oneof(graphs(), lawGraphs), { numRuns: GRAPHS, seed: SEED });
  return formats().flatMap(({ name, imports, emits }): readonly Figure[] => {
    // a graph's own document keeps nothing that a lens would put back
    if (!imports || !emits || name === "vapi-workflow" || !formatNamed(name).shape) return [];
    return Object.entries(LAWS).map(([law, holds]): Figure => {
      const faults = list.flatMap((graph) => faultOf(() => holds(name, graph)) ?? []);
      for (const fault of faults.slice(0, SHOWN)) console.error(`${name}, ${law}: ${fault}`);
      const figure = `${law}_faults_${name.replaceAll("-", "_")}`;
      return { name: figure, value: faults.length, unit: "graphs", against: `${GRAPHS} generated graphs`, bound: 0 };
    });
  });
}

type Law = (name: FormatName, graph: AgentGraph) => void;

const LAWS: { readonly [law: string]: Law } = {
  /** What was emitted is read, and comes back as it is. */
  names: (name, graph) => returnsTexts(lensOf(name), emit(graph, name).text),
  /** A changed prompt changes its own lines. */
  edits: (name, graph) => {
    if (!COMPILED.includes(name)) changesItsLines(lensOf(name), emit(graph, name).text);
  },
};

function lensOf(name: FormatName): Lens {
  return {
    read: (text) => importAgent(text, { format: name }).graph,
    write: (graph) => emit(graph, name),
    keys: formatNamed(name).shape?.keys ?? ["id", "name"],
  };
}

function faultOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
