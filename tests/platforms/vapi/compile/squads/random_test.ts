import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../../../../properties.ts";
import { compareCalls } from "./compared_call.ts";
import { comparedCall } from "./random_graph.ts";

const GRAPHS = 50;

test("calls of squads of random graphs take the same path as in the engine, and only transitions of the graph are open", async () => {
  let [calls, whole, visits] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async (seed) => {
      const { visited, isWhole } = await compareCalls(comparedCall(seed));
      calls += 1;
      visits += visited.length;
      if (isWhole) whole += 1;
    }),
    { numRuns: GRAPHS, endOnFailure: true },
  );
  assert.ok(whole >= 0.8 * calls, `${whole} of ${calls} calls were compared to their end`);
  assert.ok(visits >= 2 * calls, `${visits} members were visited in ${calls} calls`);
});
