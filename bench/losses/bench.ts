import { emit, formats } from "../../platforms/mod.ts";
import * as fc from "../../tests/fast_check.ts";
import { vanishedSettings } from "../../tests/platforms/losses_law.ts";
import { schemaGraphs } from "../../tests/platforms/schema_graphs.ts";
import { type Figure, sized } from "../figure.ts";

/** Graphs for each format. */
const GRAPHS = sized(500, 4);
const SEED = 7;

/** Emits generated graphs in every format, and counts the settings that are neither emitted nor named in losses. */
export async function bench(): Promise<readonly Figure[]> {
  const graphs = fc.sample(schemaGraphs(), { numRuns: GRAPHS, seed: SEED });
  const against = `every setting of ${GRAPHS} graphs that are generated from the schema`;
  return formats().flatMap(({ name, emits }): readonly Figure[] => {
    // a workflow is emitted only where a workflow was imported
    if (!emits || name === "vapi-workflow") return [];
    const lost = graphs.flatMap((graph) => vanishedSettings(graph, { name, emit: (each) => emit(each, name) }));
    for (const { path, value } of lost.slice(0, 20)) console.error(`${name}: ${path.join(".")} = ${String(value)}`);
    const figure = `settings_lost_${name.replaceAll("-", "_")}`;
    return [{ name: figure, value: lost.length, unit: "settings", against, bound: 0 }];
  });
}
