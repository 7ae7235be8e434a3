/** The loudest sample of each column, the loudest of all being 1. Silence stays 0. */
export function channelPeaks(samples: Float32Array, columns: number): readonly number[] {
  if (columns <= 0 || samples.length === 0) return [];
  const peaks = Array.from({ length: columns }, (_, column) => {
    const from = Math.floor((column * samples.length) / columns);
    const to = Math.max(from + 1, Math.floor(((column + 1) * samples.length) / columns));
    let peak = 0;
    for (let at = from; at < to; at++) peak = Math.max(peak, Math.abs(samples[at] ?? 0));
    return peak;
  });
  const loudest = Math.max(...peaks.map((peak) => peak));
  return loudest === 0 ? peaks : peaks.map((peak) => peak / loudest);
}
