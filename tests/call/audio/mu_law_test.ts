import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeMuLaw, encodeMuLaw } from "../../../src/call/audio/mod.ts";

const ALL_BYTES = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const ALL_SAMPLES = Int16Array.from({ length: 65_536 }, (_, index) => index - 32_768);

test("decodeMuLaw() gives the values of ITU-T G.711, table 2a", () => {
  const table = [0x80, 0x8f, 0x9f, 0xaf, 0xbf, 0xcf, 0xdf, 0xef, 0xff, 0xfe].map((byte) => [byte, decoded(byte)]);
  // the table has 14 bits: each value is a quarter of one with 16 bits
  const expected = [8031, 4191, 2079, 1023, 495, 231, 99, 33, 0, 2].map((value) => value * 4);
  assert.deepEqual(
    table.map(([, sample]) => sample),
    expected,
  );
  assert.equal(decoded(0x00), -32_124);
});

test("encodeMuLaw() gives each byte back, except for the second zero", () => {
  const bytes = encodeMuLaw(decodeMuLaw(ALL_BYTES));
  const changed = ALL_BYTES.filter((byte, at) => bytes[at] !== byte);
  assert.deepEqual([...changed], [0x7f]);
});

test("encodeMuLaw() takes the nearest of the decoded values, as far as G.711 allows", () => {
  const values = [...decodeMuLaw(ALL_BYTES)].sort((one, other) => one - other);
  const near = decodeMuLaw(encodeMuLaw(ALL_SAMPLES));
  for (let at = 0; at < ALL_SAMPLES.length; at += 7) {
    const sample = ALL_SAMPLES[at] ?? 0;
    const got = near[at] ?? 0;
    const above = values.find((value) => value >= sample) ?? 32_124;
    const below = values.findLast((value) => value <= sample) ?? -32_124;
    assert.ok(got === above || got === below, `${sample} became ${got}, between ${below} and ${above}`);
  }
  const silent = encodeMuLaw(new Int16Array(1));
  assert.deepEqual([...silent], [0xff]);
});

test("µ-law is that of the package wavefile, for each sample", async () => {
  const module: { readonly default?: typeof import("wavefile") } & Partial<typeof import("wavefile")> = await import(
    "wavefile"
  );
  const WaveFile = module.WaveFile ?? module.default?.WaveFile;
  assert.ok(WaveFile);
  const wave = new WaveFile();
  wave.fromScratch(1, 8000, "16", ALL_SAMPLES);
  wave.toMuLaw();
  wave.fromMuLaw();
  assert.deepEqual(wave.getSamples(false, Int16Array), decodeMuLaw(encodeMuLaw(ALL_SAMPLES)));
});

function decoded(byte: number): number {
  return decodeMuLaw(Uint8Array.of(byte))[0] ?? Number.NaN;
}
