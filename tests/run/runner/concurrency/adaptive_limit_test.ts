import assert from "node:assert/strict";
import { test } from "node:test";
import { createAdaptiveLimit } from "../../../../src/run/runner/concurrency.ts";
import { createNoise, simulate } from "./_simulate.ts";

const CALLS = { calls: 600, requestsPerCall: 12 };
const unlimited = { answer: () => ({ ms: 200 }) };

test("the adaptive limit starts at 16 and doubles on a server that never slows down, up to 256", () => {
  const { limits, refused } = simulate(unlimited, CALLS);
  assert.deepEqual([...new Set(limits)], [16, 32, 64, 128, 256]);
  assert.equal(refused, 0);
});

test("64 calls with the adaptive limit are nearly as fast as 64 at a time, and five times as fast as 8", () => {
  const calls = { calls: 64, requestsPerCall: 13 };
  const wall = simulate(unlimited, calls).wallMs;
  assert.equal(simulate(unlimited, { ...calls, fixed: 64 }).wallMs, 13 * 200);
  assert.equal(simulate(unlimited, { ...calls, fixed: 8 }).wallMs, 8 * 13 * 200);
  assert.ok(wall <= 1.5 * 13 * 200, `${wall} ms`);
});

test("the adaptive limit settles near what a server can answer without a queue", () => {
  for (const capacity of [12, 24, 40, 100]) {
    const queueing = { answer: (inFlight: number) => ({ ms: 200 * Math.max(1, inFlight / capacity) }) };
    const { limits, wallMs, requests } = simulate(queueing, CALLS);
    const settled = limits.slice(limits.length / 2);
    assert.ok(Math.min(...settled) >= capacity, `${capacity}: ${Math.min(...settled)}`);
    assert.ok(Math.max(...settled) <= 1.8 * capacity, `${capacity}: ${Math.max(...settled)}`);
    assert.ok(wallMs <= 1.2 * ((requests * 200) / capacity), `${capacity}: ${wallMs} ms`);
  }
});

test("the adaptive limit settles below what a server refuses, with few refusals", () => {
  for (const capacity of [12, 24, 40, 100]) {
    const refusing = {
      answer: (inFlight: number) => (inFlight > capacity ? { ms: 20, refused: true } : { ms: 200 }),
    };
    const { limits, wallMs, requests, refused } = simulate(refusing, { ...CALLS, calls: 1000 });
    const settled = limits.slice(limits.length / 2);
    const above = settled.filter((limit) => limit > capacity).length;
    assert.ok(above <= 0.1 * settled.length, `${capacity}: ${above} of ${settled.length}`);
    assert.ok(refused <= 0.05 * requests, `${capacity}: ${refused} of ${requests}`);
    assert.ok(wallMs <= 1.5 * ((requests * 200) / capacity), `${capacity}: ${wallMs} ms`);
  }
});

test("the adaptive limit learns that a server has a queue from the first calls on", () => {
  for (const capacity of [4, 8, 12, 15]) {
    const queueing = { answer: (inFlight: number) => ({ ms: 200 * Math.max(1, inFlight / capacity) }) };
    const { limits } = simulate(queueing, CALLS);
    assert.deepEqual([...new Set(limits)].slice(0, 3), [16, 32, 8], `${capacity}`);
    assert.ok(Math.max(...limits.slice(limits.length / 2)) <= 1.8 * Math.max(8, capacity), `${capacity}`);
  }
});

test("the adaptive limit halves again while the server refuses half as many requests", () => {
  for (const capacity of [1, 2]) {
    const refusing = {
      answer: (inFlight: number) => (inFlight > capacity ? { ms: 20, refused: true } : { ms: 200 }),
    };
    const { limits, refused } = simulate(refusing, { calls: 20, requestsPerCall: 20 });
    assert.deepEqual([...new Set(limits)].slice(0, 3), [8, 4, 2]);
    assert.ok(refused <= 45, `${capacity}: ${refused}`);
  }
});

test("slow outliers do not stop the growth of the adaptive limit", () => {
  const stalling = { answer: (_: number, request: number) => ({ ms: request % 9 === 0 ? 20_000 : 200 }) };
  assert.equal(Math.max(...simulate(stalling, CALLS).limits), 256);
});

test("a cold start does not count as the typical latency", () => {
  const capacity = 20;
  const answer = (inFlight: number, request: number) => ({
    ms: request < 8 ? 5_000 : 200 * Math.max(1, inFlight / capacity),
  });
  const { limits } = simulate({ answer }, CALLS);
  assert.ok((limits.at(-1) ?? 0) <= 3 * capacity, `${limits.at(-1)}`);
});

test("the adaptive limit grows although answers take very different times", () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const next = createNoise(seed);
    const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
    const { limits } = simulate({ answer: () => ({ ms: 1_000 * Math.exp(0.5 * normal()) }) }, CALLS);
    assert.ok(Math.max(...limits) >= 64, `seed ${seed}: ${Math.max(...limits)}`);
  }
});

test("the adaptive limit does not grow when requests wait for the run's own limits, nor above a given maximum", () => {
  assert.equal(Math.max(...simulate(unlimited, { ...CALLS, waiting: true }).limits), 16);
  assert.equal(Math.max(...simulate(unlimited, { ...CALLS, most: 20 }).limits), 20);
  assert.equal(createAdaptiveLimit({ most: 3 }).limit, 3);
});

test("a refusal halves the adaptive limit once, whatever the requests that were in flight with it come to", () => {
  const adaptive = createAdaptiveLimit();
  const about = { kind: "respond", latencyMs: 200, running: 16, waiting: false };
  const epochs = Array.from({ length: 16 }, () => adaptive.begin());
  for (const epoch of epochs) adaptive.end({ ...about, epoch, refused: true });
  assert.equal(adaptive.limit, 8);
});

test("the adaptive limit recovers after refusals", () => {
  const blackout = {
    answer: (_: number, request: number) => (request > 500 && request < 560 ? { ms: 50, refused: true } : { ms: 200 }),
  };
  const { limits } = simulate(blackout, { ...CALLS, calls: 1000 });
  const halved = limits.findIndex((limit, index) => limit === Math.floor((limits[index - 1] ?? 0) / 2));
  assert.ok(halved > 0);
  assert.ok((limits.at(-1) ?? 0) >= 1.5 * (limits[halved] ?? 0), `${limits[halved]} to ${limits.at(-1)}`);
});
