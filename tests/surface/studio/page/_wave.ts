const RATE = 8000;

/** Three seconds of a WAV with two channels: a tone that swells, and a quieter one. */
export function tones(): Uint8Array {
  const samples = RATE * 3;
  const bytes = new Uint8Array(44 + samples * 4);
  const view = new DataView(bytes.buffer);
  const write = (at: number, text: string) => bytes.set(new TextEncoder().encode(text), at);
  write(0, "RIFF");
  view.setUint32(4, bytes.length - 8, true);
  write(8, "WAVEfmt ");
  for (const [at, size, value] of [
    [16, 4, 16],
    [20, 2, 1],
    [22, 2, 2],
    [24, 4, RATE],
    [28, 4, RATE * 4],
    [32, 2, 4],
    [34, 2, 16],
  ] as const)
    if (size === 4) view.setUint32(at, value, true);
    else view.setUint16(at, value, true);
  write(36, "data");
  view.setUint32(40, samples * 4, true);
  for (let index = 0; index < samples; index++) {
    const swell = Math.abs(Math.sin((index / RATE) * 4));
    view.setInt16(44 + index * 4, 20_000 * swell * Math.sin(index / 4), true);
    view.setInt16(46 + index * 4, 9000 * (1 - swell) * Math.sin(index / 6), true);
  }
  return bytes;
}
