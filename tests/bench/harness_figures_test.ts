import assert from "node:assert/strict";
import { test } from "node:test";
import { figures } from "../../bench/harness/figures.ts";

/** Measurements of 1, 100 and 1,000 calls at a time, from the CPU of a turn with Callweave and with the AI SDK alone. */
function growthFigures(turns: readonly (readonly [ours: number, bare: number])[]) {
  const measured = turns.map(([ours, bare], index) => ({
    conversations: 10 ** index,
    turns_per_second: 1,
    cpu_ms_per_turn: ours,
    bare_cpu_ms_per_turn: bare,
    cpu_over_bare: ours / bare,
    p50_ms: 1,
    p99_ms: 1,
    kib_per_conversation: 1,
  }));
  return (name: string) => {
    const found = [...figures("bun", measured)].find((figure) => figure.name === name);
    assert.ok(found, name);
    const { value, bound } = found;
    return { value, holds: bound !== undefined && value <= bound };
  };
}

test("bench harness calls a turn flat that grows with 1,000 calls as the AI SDK alone does", () => {
  const figure = growthFigures([
    [0.3, 0.2],
    [0.4, 0.3],
    [0.6, 0.4],
  ]);
  assert.deepEqual(figure("cpu_per_turn_1000_over_1"), { value: 2, holds: true });
  assert.deepEqual(figure("growth_over_bare_sdk"), { value: 0, holds: true });
});

test("bench harness fails a turn that grows with 1,000 calls while the AI SDK alone does not", () => {
  const figure = growthFigures([
    [0.3, 0.25],
    [0.3, 0.25],
    [0.375, 0.25],
  ]);
  assert.deepEqual(figure("cpu_per_turn_1000_over_1"), { value: 1.25, holds: false });
  assert.equal(figure("growth_over_bare_sdk").holds, false);
});

test("cpu_over_bare_sdk is the highest of 1, 100 and 1,000 calls, and at most 0.7", () => {
  const figure = growthFigures([
    [0.1, 0.25],
    [0.2, 0.25],
    [0.1, 0.25],
  ]);
  assert.deepEqual(figure("cpu_over_bare_sdk"), { value: 0.8, holds: false });
});
