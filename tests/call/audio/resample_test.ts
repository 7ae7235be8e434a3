import assert from "node:assert/strict";
import { test } from "node:test";
import { resample } from "../../../src/call/audio/resample.ts";

const RATES = [8_000, 11_025, 16_000, 22_050, 24_000, 44_100, 48_000];

function tone(hz: number, rate: number, length: number): Float64Array {
  return Float64Array.from({ length }, (_, at) => 10_000 * Math.sin((2 * Math.PI * hz * at) / rate + 1));
}

/** The largest difference, without the ends, where the filter hears silence. */
function difference(one: Float64Array, other: Float64Array, rate: number): number {
  const edge = Math.round(rate / 50);
  return one
    .slice(edge, -edge)
    .reduce((most, value, at) => Math.max(most, Math.abs(value - (other[at + edge] ?? 0))), 0);
}

test("a tone keeps its frequency, level and place between all rates", () => {
  for (const from of RATES)
    for (const to of RATES)
      for (const hz of [100, 440, 3_000]) {
        const got = resample(tone(hz, from, from / 5), from, to);
        assert.equal(got.length, Math.round(to / 5), `${from} to ${to}`);
        const wrong = difference(got, tone(hz, to, got.length), to);
        assert.ok(wrong < 10, `${hz} Hz from ${from} to ${to}: ${wrong}`);
      }
});

test("frequencies that the new rate cannot represent are filtered out", () => {
  for (const [hz, from] of [
    [4_200, 16_000],
    [5_000, 24_000],
    [11_000, 48_000],
  ] as const) {
    const got = resample(tone(hz, from, from / 5), from, 8_000);
    const rest = difference(got, new Float64Array(got.length), 8_000);
    assert.ok(rest < 10, `${hz} Hz: ${rest}`);
  }
});

test("silence stays silence, a constant stays constant, and the same rate changes nothing", () => {
  assert.ok(resample(new Float64Array(300), 24_000, 8_000).every((sample) => sample === 0));
  const constant = resample(new Float64Array(2_400).fill(500), 24_000, 8_000);
  assert.ok(constant.slice(100, -100).every((sample) => Math.abs(sample - 500) < 1e-9));
  const same = tone(440, 8_000, 100);
  assert.equal(resample(same, 8_000, 8_000), same);
  assert.equal(resample(new Float64Array(0), 24_000, 8_000).length, 0);
});
