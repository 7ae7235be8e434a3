import assert from "node:assert/strict";
import { test } from "node:test";
import { summariseLatency } from "../../../api/statistics.ts";
import type { LatencyParts } from "../../../api/types.ts";
import type { TurnLatency } from "../../../mod.ts";

const PARTS: LatencyParts = { transition: 100, extraction: 0, tools: 0, reply: 300 };

function turns(nodeId: string, ...times: readonly (number | null)[]): readonly TurnLatency[] {
  return times.map((firstWordMs, turn) => ({ turn, nodeId, firstWordMs }));
}

test("summariseLatency() gives p50, p95 and the worst time by node, the slowest node first", () => {
  const hundred = Array.from({ length: 101 }, (_, index) => index * 10);
  const found = summariseLatency([
    { latency: turns("quick", 5, null, 15) },
    { latency: turns("slow", ...hundred) },
    {},
  ]);
  assert.deepEqual(
    found?.nodes.map(({ nodeId, turns, p50Ms, p95Ms, worstMs }) => [nodeId, turns, p50Ms, p95Ms, worstMs]),
    [
      ["slow", 101, 500, 950, 1_000],
      ["quick", 2, 10, 14.5, 15],
    ],
  );
  assert.deepEqual([found?.turns, found?.worstMs], [103, 1_000]);
});

test("summariseLatency() averages the parts of turns that have them, and counts turns of unknown nodes as turns only", () => {
  const latency: readonly TurnLatency[] = [
    { turn: 1, nodeId: "book", firstWordMs: 400, parts: PARTS },
    { turn: 2, nodeId: "book", firstWordMs: 600, parts: { ...PARTS, tools: 200 } },
    { turn: 3, nodeId: "", firstWordMs: 900 },
  ];
  const found = summariseLatency([{ latency }]);
  assert.equal(found?.turns, 3);
  assert.deepEqual(found?.nodes, [
    { nodeId: "book", turns: 2, p50Ms: 500, p95Ms: 590, worstMs: 600, parts: { ...PARTS, tools: 100 } },
  ]);
});

test("summariseLatency() gives nothing when no turn was measured", () => {
  assert.equal(summariseLatency([{}, { latency: turns("silent", null) }]), undefined);
});
