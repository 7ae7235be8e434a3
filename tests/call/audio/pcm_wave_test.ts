import assert from "node:assert/strict";
import { test } from "node:test";
import { readPcmWave, writePcmWave } from "../../../src/call/audio/pcm_wave.ts";

const LEFT = Int16Array.of(0, 1, -1, 32_767, -32_768);
const RIGHT = Int16Array.of(5, 4, 3, 2, 1);

async function wavefile() {
  const module: { readonly default?: typeof import("wavefile") } & Partial<typeof import("wavefile")> = await import(
    "wavefile"
  );
  const WaveFile = module.WaveFile ?? module.default?.WaveFile;
  assert.ok(WaveFile);
  return WaveFile;
}

test("what was written is read again, by the package wavefile too", async () => {
  const WaveFile = await wavefile();
  for (const channels of [[LEFT], [LEFT, RIGHT]]) {
    const marks = [
      { place: 1, label: "caller 1" },
      { place: 3, label: "agent 10" },
    ];
    for (const bytes of [writePcmWave({ rate: 8000, channels }), writePcmWave({ rate: 8000, channels }, marks)]) {
      assert.deepEqual(readPcmWave(bytes), { rate: 8000, channels });
      assert.equal(new DataView(bytes.buffer).getUint32(4, true), bytes.length - 8);
      const wave = new WaveFile(bytes);
      const read: unknown = wave.getSamples(false, Int16Array);
      assert.deepEqual(read, channels.length === 1 ? LEFT : [LEFT, RIGHT]);
    }
    const cues = JSON.parse(
      JSON.stringify(new WaveFile(writePcmWave({ rate: 8000, channels }, marks)).listCuePoints()),
    );
    assert.deepEqual(
      cues.map(({ label, dwSampleOffset }: { label: string; dwSampleOffset: number }) => [label, dwSampleOffset]),
      [
        ["caller 1", 1],
        ["agent 10", 3],
      ],
    );
  }
});

test("a file whose lengths were not known is read to its end", () => {
  const bytes = writePcmWave({ rate: 16_000, channels: [LEFT] });
  const view = new DataView(bytes.buffer);
  view.setUint32(4, 0xffffffff, true);
  view.setUint32(40, 0xffffffff, true);
  assert.deepEqual(readPcmWave(bytes)?.channels, [LEFT]);
  assert.deepEqual(readPcmWave(bytes.slice(0, -3))?.channels, [LEFT.slice(0, 3)]);
});

test("files in another form are left to others", async () => {
  const wave = new (await wavefile())();
  for (const depth of ["8", "24", "32f", "8m"]) {
    wave.fromScratch(1, 8000, depth, [1, 2, 3]);
    assert.equal(readPcmWave(wave.toBuffer()), undefined, depth);
  }
  assert.equal(readPcmWave(new Uint8Array(12)), undefined);
  assert.equal(readPcmWave(writePcmWave({ rate: 8000, channels: [LEFT] }).subarray(0, 36)), undefined);
});
