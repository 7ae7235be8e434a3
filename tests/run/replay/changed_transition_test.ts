import assert from "node:assert/strict";
import { test } from "node:test";
import { isRecord } from "../../../src/base/values/mod.ts";
import type { AgentGraph, Transition } from "../../../src/document/graph/mod.ts";
import type { Message } from "../../../src/document/transcript/mod.ts";
import { replay } from "../../../src/run/replay/mod.ts";
import { fc } from "../../properties.ts";
import { drawn, NEVER, openStore, runCall, SAME, whimsical } from "./_calls.ts";

/** Fewer calls than 15 may take none of the transitions that are changed. */
const SEEDS = Array.from({ length: Math.max(15, fc.sampled(60)) }, (_, index) => index + 1);

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

const calls = new Map<number, ReturnType<typeof runCall>>();

/** The call of a seed, which is run once for all tests. */
async function call(seed: number) {
  const known = calls.get(seed);
  if (known) return await known;
  await using store = await openStore(":memory:");
  const found = runCall(seed, store);
  calls.set(seed, found);
  return await found;
}

/** Changes one transition that the call took, and replays the call. Swapped: it changes places with the next one. */
async function replayChanged(seed: number, kind: "target" | "removed" | "reworded" | "rephrased" | "swapped") {
  const { stored, graph } = await call(seed);
  const [recorded] = stored.results;
  const isAsked = ({ from, index }: { readonly from: string; readonly index: number }) =>
    graph.nodes[from]?.transitions[index]?.condition.type === "llm_prompt";
  const isOfWords = kind !== "target" && kind !== "removed";
  const taken = takenIn(recorded?.transcript ?? []).filter((each) => !isOfWords || isAsked(each));
  const change = taken[drawn(seed, taken.length)];
  if (!recorded || recorded.status === "error" || !change) return undefined;
  const { from, index } = change;
  const ids = Object.keys(graph.nodes);
  const changed = withTransition(graph, from, (transitions) => {
    if (kind === "removed") return transitions.filter((_, at) => at !== index);
    const [own, next] = [transitions[index], transitions[index + 1]];
    if (kind === "swapped") return own && next ? transitions.with(index, next).with(index + 1, own) : transitions;
    if (kind === "reworded" || kind === "rephrased") {
      const reworded = (value: string) => (kind === "reworded" ? NEVER : value + SAME);
      return transitions.map((each, at) => {
        const { condition } = each;
        return at === index ? { ...each, condition: { ...condition, value: reworded(condition.value) } } : each;
      });
    }
    const others = ids.filter((id) => id !== transitions[index]?.target_node_id);
    const target_node_id = others[drawn([seed], others.length)];
    if (target_node_id === undefined) return transitions;
    return transitions.map((each, at) => (at === index ? { ...each, target_node_id } : each));
  });
  const { results } = await replay(stored, changed, { models: { agent: whimsical() }, store: false });
  const [result] = results;
  return result?.replay && { graph, recorded, result, change, divergences: result.replay.divergences };
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

test("the first divergence names the transition that was removed, by the index that the recorded call took", async () => {
  let diverged = 0;
  for (const seed of SEEDS) {
    const found = await replayChanged(seed, "removed");
    const [first] = found?.divergences ?? [];
    if (!found || !first) continue;
    diverged += 1;
    assert.equal(first.nodeId, found.change.from, `seed ${seed}: ${JSON.stringify(first)}`);
    assert.deepEqual(first.recordedTransition?.ways, [{ transition: found.change.index }], `seed ${seed}`);
    assert.match(first.recorded ?? "", new RegExp(`\\(transition ${found.change.index}\\)$`), `seed ${seed}`);
    assert.ok(first.graphChanges?.length, `seed ${seed}: the change itself is named`);
  }
  assert.ok(diverged > SEEDS.length / 10, `only ${diverged} of ${SEEDS.length} calls took a removed transition`);
});

test("a reworded condition that the model answers otherwise is named as the change at the first divergence", async () => {
  let diverged = 0;
  for (const seed of SEEDS) {
    const found = await replayChanged(seed, "reworded");
    const [first] = found?.divergences ?? [];
    if (!found) continue;
    if (!first) {
      // another condition on offer leads to the same node
      assert.deepEqual(found.result.nodesVisited, found.recorded.nodesVisited, `seed ${seed}`);
      continue;
    }
    diverged += 1;
    const { from, index } = found.change;
    assert.deepEqual([first.kind, first.nodeId, first.follows], ["path", from, undefined], `seed ${seed}`);
    assert.deepEqual(first.recordedTransition?.ways, [{ transition: index }], `seed ${seed}`);
    const changes = first.graphChanges ?? [];
    assert.ok(
      changes.some((change) => change.includes(NEVER)),
      `seed ${seed}: ${changes}`,
    );
  }
  assert.ok(diverged > SEEDS.length / 20, `only ${diverged} of ${SEEDS.length} calls took a reworded transition`);
});

test("a condition that says the same in other words, and transitions that changed places, are no divergence", async () => {
  const counts = { rephrased: 0, swapped: 0 };
  for (const seed of SEEDS)
    for (const kind of ["rephrased", "swapped"] as const) {
      const found = await replayChanged(seed, kind);
      if (!found) continue;
      const { from, index } = found.change;
      const [own, next] = [index, index + 1].map((at) => found.graph.nodes[from]?.transitions[at]?.condition);
      const isFree = next?.type === "llm_prompt" && own?.value !== next.value;
      if (kind === "swapped" && !isFree) continue;
      counts[kind] += 1;
      assert.deepEqual(found.divergences, [], `${kind}, seed ${seed}`);
      assert.deepEqual(found.result.nodesVisited, found.recorded.nodesVisited, `${kind}, seed ${seed}`);
    }
  assert.ok(counts.rephrased > 0, JSON.stringify(counts));
});
