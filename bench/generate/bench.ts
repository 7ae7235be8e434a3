import { existsSync, readdirSync, readFileSync } from "node:fs";
import { helpDesk } from "../../examples/help-desk/flow.ts";
import { importAgent } from "../../platforms/mod.ts";
import { type AgentGraph, parseGraph } from "../../src/document/graph/mod.ts";
import { generateScenarios } from "../../src/run/generate/mod.ts";
import { randomCall } from "../../tests/call/engine/random_calls.ts";
import { type Figure, sized } from "../figure.ts";

const RANDOM_GRAPHS = sized(200, 10);
const CORPUS = new URL("../../../shared/corpus/", import.meta.url);

/** How many transitions generated scenarios miss although a path to them is found, and how many are undecided. */
export async function* bench(): AsyncIterable<Figure> {
  const random = Array.from({ length: RANDOM_GRAPHS }, (_, seed) => parseGraph(randomCall(seed).document));
  yield* await figuresOf("help_desk", [helpDesk]);
  yield* await figuresOf("random", random);
  yield* await figuresOf("corpus", sized(1, 0) === 1 ? ["retell", "vapi", "graph"].flatMap(corpusGraphs) : []);
}

async function figuresOf(name: string, graphs: readonly AgentGraph[]): Promise<readonly Figure[]> {
  let [taken, missed, undecided, scenarios] = [0, 0, 0, 0];
  const started = performance.now();
  for (const graph of graphs) {
    const { coverage, unreachable, unshown, scenarios: generated } = await generateScenarios(graph);
    const open = unshown.filter(({ reason }) => /compared with another|more than \d+ states|no values/.test(reason));
    taken += coverage.after;
    undecided += open.length;
    missed += coverage.transitions - coverage.after - unreachable.length - open.length;
    scenarios += generated.length;
  }
  const ms = (performance.now() - started) / Math.max(1, scenarios);
  const against = `${taken} transitions taken in ${graphs.length} graphs`;
  return [
    { name: `generate_missed_${name}`, value: missed, unit: "transitions", against, bound: 0 },
    { name: `generate_undecided_${name}`, value: undecided, unit: "transitions", against, bound: 0 },
    { name: `generate_ms_per_scenario_${name}`, value: ms, unit: "ms", against: `${scenarios} scenarios` },
  ];
}

/** The flows of a folder, if they are available. */
function corpusGraphs(folder: string): readonly AgentGraph[] {
  const url = new URL(`${folder}/`, CORPUS);
  if (!existsSync(url)) return [];
  return readdirSync(url)
    .filter((file) => file.endsWith(".json"))
    .flatMap((file) => {
      try {
        return [importAgent(readFileSync(new URL(file, url), "utf8")).graph];
      } catch {
        return []; // not an agent, such as a list of test cases
      }
    });
}
