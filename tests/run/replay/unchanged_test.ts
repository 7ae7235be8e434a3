import assert from "node:assert/strict";
import { test } from "node:test";
import { replay } from "../../../src/run/replay/mod.ts";
import { fc } from "../../properties.ts";
import { openStore, runCall, whimsical } from "./_calls.ts";

const SEEDS = Array.from({ length: fc.sampled(80) }, (_, index) => index + 1);

test("replay() of calls on random graphs finds no divergence on the unchanged graph", async () => {
  await using store = await openStore(":memory:");
  let moves = 0;
  for (const seed of SEEDS) {
    const { stored, graph } = await runCall(seed, store);
    const [recorded] = stored.results;
    if (!recorded || recorded.status === "error") continue;
    const { results } = await replay(stored, graph, { models: { agent: whimsical() }, store: false });
    const [result] = results;
    assert.deepEqual(result?.replay?.divergences, [], `seed ${seed}`);
    assert.deepEqual(result?.nodesVisited, recorded.nodesVisited, `seed ${seed}`);
    moves += recorded.nodesVisited.length - 1;
  }
  assert.ok(moves > SEEDS.length, "the calls move");
});
