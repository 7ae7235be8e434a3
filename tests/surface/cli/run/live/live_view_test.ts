import assert from "node:assert/strict";
import { test } from "node:test";
import { createLiveView } from "../../../../../src/surface/cli/run/live.ts";
import { TestClock } from "../../../../test_clock.ts";

const start = { kind: "call-start", scenario: "a", trial: 1, attempt: 1 } as const;

function createView(signal = new AbortController().signal) {
  const clock = new TestClock();
  const drawn: (readonly string[])[] = [];
  const view = createLiveView({
    scenarios: [{ name: "a", trials: 1 }],
    draw: (lines) => drawn.push(lines),
    stream: { columns: 80, rows: 24 },
    isColored: false,
    signal,
    clock,
  });
  return { clock, drawn, view };
}

test("the live view is drawn at once, and after many events only every tenth of a second", () => {
  const { clock, drawn, view } = createView();
  for (let event = 0; event < 50; event++) view.onProgress(start);
  assert.equal(drawn.length, 1);
  clock.advance(99);
  assert.equal(drawn.length, 1);
  clock.advance(1);
  assert.equal(drawn.length, 2);
  view[Symbol.dispose]();
});

test("the live view keeps its times up to date when nothing happens, and is removed when it is disposed", () => {
  const { clock, drawn, view } = createView();
  view.onProgress(start);
  clock.advance(1_000);
  clock.advance(1_000);
  assert.equal(drawn.length, 3);
  assert.match(drawn.at(-1)?.at(-1) ?? "", /0:02$/);
  view[Symbol.dispose]();
  clock.advance(10_000);
  assert.deepEqual(drawn.slice(3), [[]]);
});

test("the live view says that the run is being stopped", () => {
  const controller = new AbortController();
  const { clock, drawn, view } = createView(controller.signal);
  view.onProgress(start);
  controller.abort();
  clock.advance(100);
  assert.match(drawn.at(-1)?.join("\n") ?? "", /stopping: running calls end as cancelled/);
  view[Symbol.dispose]();
});
