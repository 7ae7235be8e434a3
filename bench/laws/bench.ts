import { emit, type FormatName, formatNamed, formats, importAgent } from "../../platforms/mod.ts";
import type { AgentGraph } from "../../src/document/graph/mod.ts";
import * as fc from "../../tests/fast_check.ts";
import { lawGraphs } from "../../tests/platforms/bland/pathway/_graphs.ts";
import { changesItsLines, type Lens, returnsTexts } from "../../tests/platforms/laws.ts";
import { graphs } from "../../tests/platforms/retell/flow/graphs.ts";
import { isFreeNode, keepsStructure } from "../../tests/platforms/structure_law.ts";
import { type Figure, sized } from "../figure.ts";

/** Graphs for each format. */
const GRAPHS = sized(500, 3);
const SEED = 7;
/** Faults that are printed of each law and format. */
const SHOWN = 3;
/** Changes of each graph by each law: writing one into its document takes most of the time. */
const CHANGES = 2;

/** Formats whose emitter compiles a graph, so that a node is many objects, or emits only what it has imported. */
const COMPILED = ["vapi-squad", "vapi-assistant", "vapi-workflow"];
/** Formats whose nodes are an object by id: the order of its keys means nothing. */
const UNORDERED = ["elevenlabs"];

/**
 * Holds documents of generated graphs, whose ids collide or are names such as `__proto__`, against the laws. Figures of
 * a format are printed as soon as they are there. All of them take a quarter of an hour.
 */
export async function* bench(): AsyncIterable<Figure> {
  const list = fc.sample(fc.oneof(graphs(), lawGraphs), { numRuns: GRAPHS, seed: SEED });
  for (const { name, imports, emits } of formats()) {
    // a graph's own document keeps nothing that a lens would put back
    if (!imports || !emits || name === "vapi-workflow" || !formatNamed(name).shape) continue;
    for (const [law, holds] of Object.entries(COMPILED.includes(name) ? { names: LAWS.names } : LAWS)) {
      const faults = list.flatMap((graph, index) => faultOf(() => holds(name, graph, index)) ?? []);
      for (const fault of faults.slice(0, SHOWN)) console.error(`${name}, ${law}: ${fault}`);
      const figure = `${law}_faults_${name.replaceAll("-", "_")}`;
      yield { name: figure, value: faults.length, unit: "graphs", against: `${GRAPHS} generated graphs`, bound: 0 };
    }
  }
}

type Law = (name: FormatName, graph: AgentGraph, index: number) => void;

const LAWS = {
  /** What was emitted is read, and comes back as it is. */
  names: (name, graph) => returnsTexts(lensOf(name), emit(graph, name).text),
  /** A changed prompt changes its own lines. */
  edits: (name, graph) => {
    changesItsLines(lensOf(name), emit(graph, name).text, CHANGES);
  },
  /** Changed nodes, edges and tools are read as they were changed. */
  structure: (name, graph, index) => {
    keepsStructure(lensOf(name), emit(graph, name).text, CHANGES, index);
  },
} satisfies { readonly [law: string]: Law };

function lensOf(name: FormatName): Lens {
  return {
    read: (text) => importAgent(text, { format: name }).graph,
    write: (graph) => emit(graph, name),
    keys: formatNamed(name).shape?.keys ?? ["id", "name"],
    isFree: isFreeNode,
    hasNodeOrder: !UNORDERED.includes(name),
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
