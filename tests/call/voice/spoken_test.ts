import assert from "node:assert/strict";
import { test } from "node:test";
import { atRate, decodeMuLaw, encodeMuLaw, readWave, toInt16, writePcmWave } from "../../../src/call/audio/mod.ts";
import { createSoundReader, createSoundWriter } from "../../../src/call/voice/mod.ts";
import { heard, spoken } from "./_spoken.ts";
import { joined, silence, tone } from "./_tones.ts";

const LINES = ["Where is my order?", "It is A-1042.", "Thank you, goodbye."];

test("words of the tests survive other rates, µ-law and the line's parts", async () => {
  for (const rate of [8000, 16_000, 24_000, 48_000]) {
    const sound = joined(silence(333, rate), ...LINES.map((line) => spoken(line, rate)));
    assert.equal(heard(sound, rate), LINES.join(" "), `${rate}`);
    assert.equal(heard(decodeMuLaw(encodeMuLaw(sound)), rate), LINES.join(" "));
    for (const to of [8000, 16_000, 24_000]) {
      const whole = toInt16(atRate(await readWave(writePcmWave({ rate, channels: [sound] })), to));
      assert.equal(heard(whole, to), LINES.join(" "), `${rate} to ${to}`);
    }
  }
});

for (const encoding of ["pcm", "mulaw"] as const) {
  test(`sound in parts of any length is the sound as a whole, in another rate: ${encoding}`, () => {
    for (const [rate, to] of [
      [8000, 8000],
      [8000, 24_000],
      [24_000, 8000],
      [24_000, 16_000],
      [16_000, 24_000],
    ] as const) {
      const sound = joined(silence(101, to), ...LINES.map((line) => spoken(line, to)), silence(50, to));
      const write = createSoundWriter({ encoding, rate }, to);
      const read = createSoundReader({ encoding, rate }, to);
      const frame = to / 50;
      const back: Int16Array[] = [];
      let rest = new Uint8Array();
      for (let at = 0; at < sound.length; at += frame) {
        const bytes = write(sound.subarray(at, at + frame));
        const all = new Uint8Array([...rest, ...bytes]);
        // a sample of two bytes may be divided
        const cut = Math.max(0, all.length - (at % 3));
        back.push(read(all.subarray(0, cut)));
        rest = all.slice(cut);
      }
      const found = joined(...back, read(rest));
      assert.ok(sound.length - found.length < to / 50, `${rate} to ${to}: ${sound.length - found.length} are missing`);
      assert.equal(heard(found, to), LINES.join(" "), `${rate} to ${to}`);
    }
  });
}

test("a sound that is converted in parts has no gaps between them", () => {
  const sound = tone(440, 400, { rate: 24_000 });
  const read = createSoundReader({ encoding: "pcm", rate: 24_000 }, 16_000);
  const bytes = new Uint8Array(sound.buffer);
  const parts = Array.from({ length: 40 }, (_, at) =>
    read(bytes.subarray((at * bytes.length) / 40, ((at + 1) * bytes.length) / 40)),
  );
  const found = joined(...parts);
  const expected = tone(440, 400, { rate: 16_000 });
  for (let at = 100; at < found.length - 100; at++)
    assert.ok(Math.abs((found[at] ?? 0) - (expected[at] ?? 0)) < 40, `sample ${at}`);
});
