import assert from "node:assert/strict";
import { test } from "node:test";
import { isCallweaveError } from "../../../src/base/errors.ts";
import { overPhone } from "../../../src/call/audio/mod.ts";

/** A WAV file with a tone of 440 Hz, as a server writes it that streams: its lengths are not known yet. */
function tone({ rate = 24_000, seconds = 0.25, channels = 1, streamed = false } = {}): Uint8Array {
  const frames = rate * seconds;
  const bytes = new Uint8Array(44 + frames * channels * 2);
  const view = new DataView(bytes.buffer);
  const text = (at: number, letters: string) => bytes.set(new TextEncoder().encode(letters), at);
  text(0, "RIFF");
  view.setUint32(4, streamed ? 0xffffffff : bytes.length - 8, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * channels * 2, true);
  view.setUint16(32, channels * 2, true);
  view.setUint16(34, 16, true);
  text(36, "data");
  view.setUint32(40, streamed ? 0xffffffff : bytes.length - 44, true);
  for (let at = 0; at < frames * channels; at += 1) {
    const frame = Math.floor(at / channels);
    view.setInt16(44 + at * 2, 8000 * Math.sin((2 * Math.PI * 440 * frame) / rate), true);
  }
  return bytes;
}

/** Rate and samples of a WAV file of 16 bit with one channel. */
function read(wave: Uint8Array): { readonly rate: number; readonly samples: readonly number[] } {
  const view = new DataView(wave.buffer, wave.byteOffset, wave.byteLength);
  const samples = Array.from({ length: (wave.length - 44) / 2 }, (_, at) => view.getInt16(44 + at * 2, true));
  return { rate: view.getUint32(24, true), samples };
}

const power = (samples: readonly number[]) => samples.reduce((sum, each) => sum + each ** 2, 0) / samples.length;
const place = "order/1";

test("a telephone line gives sound of 8 kHz, of any rate, channels and header", async () => {
  for (const sound of [tone(), tone({ rate: 44_100, channels: 2 }), tone({ rate: 8000, streamed: true })]) {
    const { rate, samples } = read(await overPhone(sound, {}, { place }));
    assert.equal(rate, 8000);
    assert.ok(Math.abs(samples.length - 2000) <= 2, `${samples.length} samples`);
    assert.ok(Math.abs(power(samples) / (8000 ** 2 / 2) - 1) < 0.1, "the tone is as loud as before");
  }
});

test("bare samples are read by the rate in the format's name", async () => {
  const bare = tone({ rate: 16_000 }).slice(44);
  const { rate, samples } = read(await overPhone(bare, {}, { place, format: "pcm_16000" }));
  assert.deepEqual([rate, samples.length], [8000, 2000]);
});

test("µ-law keeps at most 255 different values", async () => {
  const { samples } = read(await overPhone(tone({ seconds: 1 }), {}, { place }));
  assert.ok(new Set(samples).size <= 255);
});

test("noise and loss are the same for the same seed and place, and others for others", async () => {
  const line = { snrDb: 10, packetLoss: 0.2, seed: 7 };
  const first = await overPhone(tone(), line, { place });
  assert.deepEqual(await overPhone(tone(), line, { place }), first);
  assert.notDeepEqual(await overPhone(tone(), { ...line, seed: 8 }, { place }), first);
  assert.notDeepEqual(await overPhone(tone(), line, { place: "order/2" }), first);
});

test("noise has the power that the signal-to-noise ratio says", async () => {
  const clean = read(await overPhone(tone({ seconds: 1 }), {}, { place })).samples;
  for (const snrDb of [20, 10, 0]) {
    const noisy = read(await overPhone(tone({ seconds: 1 }), { snrDb }, { place })).samples;
    const noise = power(noisy.map((sample, at) => sample - (clean[at] ?? 0)));
    assert.ok(Math.abs(10 * Math.log10(power(clean) / noise) - snrDb) < 1.5, `${snrDb} dB`);
  }
});

test("a lost packet is 20 ms of silence", async () => {
  const { samples } = read(await overPhone(tone({ seconds: 2 }), { packetLoss: 0.25 }, { place }));
  const packets = Array.from({ length: 100 }, (_, at) => samples.slice(at * 160, (at + 1) * 160));
  const silent = packets.filter((packet) => packet.every((sample) => sample === 0)).length;
  assert.ok(silent > 10 && silent < 40, `${silent} of 100 packets`);
  assert.ok(read(await overPhone(tone(), { packetLoss: 1 }, { place })).samples.every((sample) => sample === 0));
});

test("a line refuses sound that is no WAV file", async () => {
  const mp3 = new Uint8Array([0xff, 0xfb, 0x90, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  await assert.rejects(
    overPhone(mp3, {}, { place }),
    (error) => isCallweaveError(error) && error.code === "audio-format",
  );
});
