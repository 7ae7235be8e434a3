import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../../../../properties.ts";
import { compareCalls } from "./compared_call.ts";
import { comparedCall } from "./random_graph.ts";

const GRAPHS = 50;

test("squads of random graphs go where the engine goes, and open no way that the graph does not have", async () => {
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
