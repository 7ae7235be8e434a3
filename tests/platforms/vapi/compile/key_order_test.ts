import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { isRecord } from "../../../../src/base/values/mod.ts";
import * as fc from "../../../fast_check.ts";
import { seeded } from "../../mutate.ts";
import { exampleGraphs } from "../../sdk_literals.ts";
import { graphs } from "./generate.ts";

/** Reorders the keys of objects, as Vapi's API does. */
function shuffled(value: unknown, random: () => number): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, random));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, part]) => [random(), key, shuffled(part, random)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => a - b).map(([, key, part]) => [key, part]));
}

for (const format of ["vapi-squad", "vapi-assistant"] as const) {
  test(`an emitted ${format} is imported as its graph if Vapi returns its keys in another order`, async () => {
    const examples = await exampleGraphs();
    for (const graph of examples) {
      const { config } = emit(graph, format);
      for (let seed = 1; seed <= 5; seed++) {
        const { findings } = importAgent(shuffled(config, seeded(seed)), { format });
        assert.deepEqual(findings, [], `seed ${seed}`);
      }
    }
    fc.assert(
      fc.property(graphs, fc.nat(), (graph, seed) => {
        const { config } = emit(graph, format);
        const before = importAgent(config, { format }).findings.length;
        assert.equal(importAgent(shuffled(config, seeded(seed)), { format }).findings.length, before);
      }),
      { numRuns: 40 },
    );
  });
}
