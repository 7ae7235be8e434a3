import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentGraph, Transition } from "../../src/graph/mod.ts";
import { replay } from "../../src/replay/mod.ts";
import type { Message } from "../../src/transcript/mod.ts";
import { isRecord } from "../../src/values/mod.ts";
import { fc } from "../properties.ts";
import { drawn, held, openStore, whimsical } from "./_calls.ts";

const SEEDS = Array.from({ length: fc.sampled(90) }, (_, index) => index + 1);

/** The transitions of nodes that a call took. */
function takenIn(transcript: readonly Message[]): readonly { readonly from: string; readonly index: number }[] {
  return transcript.flatMap(({ metadata: { kind, from, ways } }) => {
    const [way] = Array.isArray(ways) && ways.length === 1 ? ways : [];
    const index: unknown = isRecord(way) ? way.transition : undefined;
    return kind === "transition" && typeof from === "string" && typeof index === "number" ? [{ from, index }] : [];
  });
}

function withTransition(
  graph: AgentGraph,
  id: string,
  change: (transitions: readonly Transition[]) => readonly Transition[],
): AgentGraph {
  const entries = Object.entries(graph.nodes).map(([key, node]) =>
    key === id ? ([key, { ...node, transitions: change(node.transitions) }] as const) : ([key, node] as const),
  );
  return { ...graph, nodes: Object.fromEntries(entries) };
}

const calls = new Map<number, ReturnType<typeof held>>();

/** The call of a seed, which is held once for all tests. */
async function call(seed: number) {
  await using store = await openStore(":memory:");
  const found = calls.get(seed) ?? held(seed, store);
  calls.set(seed, found);
  return await found;
}

/** Changes one transition that the call took, and replays the call. */
async function replayChanged(seed: number, kind: "target" | "removed") {
  const { stored, graph } = await call(seed);
  const [recorded] = stored.results;
  const taken = takenIn(recorded?.transcript ?? []);
  const change = taken[drawn(seed, taken.length)];
  if (!recorded || recorded.status === "error" || !change) return undefined;
  const { from, index } = change;
  const ids = Object.keys(graph.nodes);
  const changed = withTransition(graph, from, (transitions) => {
    if (kind === "removed") return transitions.filter((_, at) => at !== index);
    const others = ids.filter((id) => id !== transitions[index]?.target_node_id);
    const target_node_id = others[drawn([seed], others.length)];
    if (target_node_id === undefined) return transitions;
    return transitions.map((each, at) => (at === index ? { ...each, target_node_id } : each));
  });
  const { results } = await replay(stored, changed, { models: { agent: whimsical() }, store: false });
  const [result] = results;
  return result?.replay && { recorded, result, change, divergences: result.replay.divergences };
}

test("the first divergence names the transition that was given another target", async () => {
  let diverged = 0;
  for (const seed of SEEDS) {
    const found = await replayChanged(seed, "target");
    const [first] = found?.divergences ?? [];
    if (!found) continue;
    if (!first) {
      assert.deepEqual(found.result.nodesVisited, found.recorded.nodesVisited, `seed ${seed}`);
      continue;
    }
    diverged += 1;
    assert.equal(first.kind, "path", `seed ${seed}`);
    assert.equal(first.nodeId, found.change.from, `seed ${seed}`);
    const ways = first.recordedTransition?.ways ?? [];
    assert.ok(
      ways.some((way) => "transition" in way && way.transition === found.change.index),
      `seed ${seed}: ${JSON.stringify(first)}`,
    );
    assert.ok(first.graphChanges?.length, `seed ${seed}: the change itself is named`);
    assert.equal(first.follows, undefined, `seed ${seed}`);
  }
  assert.ok(diverged > SEEDS.length / 10, `only ${diverged} of ${SEEDS.length} calls took a changed transition`);
});

test("the first divergence is at the node whose transition was removed, and says so", async () => {
  let diverged = 0;
  for (const seed of SEEDS) {
    const found = await replayChanged(seed, "removed");
    const [first] = found?.divergences ?? [];
    if (!found || !first) continue;
    diverged += 1;
    assert.equal(first.nodeId, found.change.from, `seed ${seed}: ${JSON.stringify(first)}`);
    assert.ok(first.graphChanges?.length, `seed ${seed}: the change itself is named`);
  }
  assert.ok(diverged > SEEDS.length / 10, `only ${diverged} of ${SEEDS.length} calls took a removed transition`);
});
