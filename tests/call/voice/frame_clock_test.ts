import assert from "node:assert/strict";
import { test } from "node:test";
import { startFrameClock } from "../../../src/call/voice/frame_clock.ts";
import { TestClock } from "../../test_clock.ts";

/** Lets what a timer has called go on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

function started() {
  const clock = new TestClock();
  const start = clock.now();
  const sent: (readonly [atMs: number, place: number])[] = [];
  const frames = startFrameClock(clock, 8000, (place) => void sent.push([clock.now() - start, place]));
  const advance = async (...steps: readonly number[]) => {
    for (const ms of steps) {
      clock.advance(ms);
      await settled();
    }
  };
  return { frames, sent, advance };
}

test("a frame is due when its last sample is over, each 20 ms", async () => {
  const { frames, sent, advance } = started();
  await settled();
  assert.deepEqual(sent, []);
  await advance(...Array.from({ length: 100 }, () => 1));
  assert.deepEqual(sent, [
    [20, 0],
    [40, 160],
    [60, 320],
    [80, 480],
    [100, 640],
  ]);
  assert.deepEqual([frames.now(), frames.missed], [800, 0]);
  frames.stop();
});

test("a late frame does not move those after it", async () => {
  const { frames, sent, advance } = started();
  await settled();
  await advance(20, 33, 7, 20);
  assert.deepEqual(sent, [
    [20, 0],
    [53, 160],
    [60, 320],
    [80, 480],
  ]);
  frames.stop();
});

test("frames of a stall are left out, and not sent in a burst", async () => {
  const { frames, sent, advance } = started();
  await settled();
  await advance(20, 505);
  await settled();
  await advance(15, 20);
  assert.deepEqual(sent, [
    [20, 0],
    [525, 160 * 25],
    [540, 160 * 26],
    [560, 160 * 27],
  ]);
  assert.equal(frames.missed, 24);
  frames.stop();
});

test("what arrived in a stall is read before the frame after it, and the stall is no time of listening", async () => {
  const { frames, sent, advance } = started();
  await settled();
  await advance(20);
  let sentBefore = 0;
  setImmediate(() => {
    sentBefore = sent.length;
  });
  await advance(505);
  await settled();
  assert.deepEqual([sentBefore, sent.length], [1, 2]);
  // 505 ms later, without the 24 frames that were missed: 20 to 500 ms
  assert.deepEqual(
    [0, 160, 320, 4_000, 4_200, 5_000].map((place) => frames.listenedSince(place)),
    [360, 200, 200, 200, 0, -800],
  );
  await advance(15, 20);
  assert.equal(frames.listenedSince(0), 640);
  frames.stop();
});

test("a clock that is stopped calls nothing back", async () => {
  const { frames, sent, advance } = started();
  await settled();
  await advance(20);
  frames.stop();
  await advance(20, 20);
  assert.equal(sent.length, 1);
});

test("frames that take longer than their time leave turns to what else the machine does", async () => {
  const clock = new TestClock();
  let turnsAt: number | undefined;
  let sent = 0;
  const frames = startFrameClock(clock, 8000, () => {
    sent += 1;
    clock.advance(30);
    if (sent === 100) frames.stop();
  });
  setImmediate(() => {
    turnsAt = sent;
    frames.stop();
  });
  clock.advance(20);
  await settled();
  await settled();
  assert.ok(turnsAt !== undefined && turnsAt < 100, `${turnsAt} frames before the first turn`);
});
