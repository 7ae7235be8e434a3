import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../../../src/base/values/mod.ts";
import { PacketOrder } from "../../../src/call/voice/mod.ts";

/** Adds packets of 20 ms at 8 kHz, by their numbers, and returns what is played: numbers, and silence in samples. */
function played(numbers: readonly number[], { first = 65_530, source = 1 } = {}): (number | string)[] {
  const found: (number | string)[] = [];
  const order = new PacketOrder<number>({
    play: (number) => {
      found.push(number);
      return 160;
    },
    lose: (units) => void found.push(`${units} silent`),
    mostLost: 1_600,
  });
  for (const number of numbers) {
    const [sequence, time] = [(first + number) & 0xffff, (2 ** 32 - 480 + 160 * number) >>> 0];
    order.add({ sequence, time, source, content: number });
  }
  return found;
}

test("packets that are mixed within two are played in order, beyond the largest numbers too", () => {
  for (let seed = 0; seed < 200; seed++) {
    const random = createRandom(`packets ${seed}`);
    const numbers = Array.from({ length: 40 }, (_, at) => at);
    // each one is at most two places late
    for (let at = 1; at + 2 < numbers.length; at += 3) {
      const three = numbers.slice(at, at + 3).sort(() => random() - 0.5);
      numbers.splice(at, 3, ...three);
    }
    assert.deepEqual(
      played(numbers),
      Array.from({ length: 40 }, (_, at) => at),
      `seed ${seed}`,
    );
  }
});

test("a lost packet is silence, one that comes twice or too late is left out", () => {
  assert.deepEqual(played([0, 1, 3, 4, 5]), [0, 1, "160 silent", 3, 4, 5]);
  assert.deepEqual(played([0, 1, 3, 4, 5, 2, 6, 6]), [0, 1, "160 silent", 3, 4, 5, 6]);
  assert.deepEqual(played([0, 3, 4]), [0]);
  // a sender that was silent for long has not lost packets
  assert.deepEqual(played([0, 30, 31, 32]), [0, 30, 31, 32]);
});
