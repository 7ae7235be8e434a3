/** Zero crossings of the filter on each side. More of them make its edge steeper. */
const CROSSINGS = 24;
/** Edge of the filter, as a share of the frequencies that both rates can represent. */
const EDGE = 0.94;
/** Shape of the Kaiser window: frequencies behind the edge are 80 dB quieter. */
const BETA = 8;

/**
 * Converts samples to another rate, by a windowed sinc. Frequencies that the new rate cannot represent are filtered out.
 * The result begins with the first sample and is as long as the original, to a sample.
 */
export function resample(samples: Float64Array, from: number, to: number): Float64Array {
  if (from === to) return samples;
  const divisor = commonDivisor(from, to);
  const [up, down] = [to / divisor, from / divisor];
  const edge = EDGE * Math.min(1, to / from);
  const half = Math.ceil(CROSSINGS / edge);
  const filters: Float64Array[] = [];
  const result = new Float64Array(Math.round((samples.length * to) / from));
  for (let at = 0; at < result.length; at++) {
    const phase = (at * down) % up;
    const filter = filters[phase] ?? filterAt(phase / up, edge, half);
    filters[phase] = filter;
    const first = (at * down - phase) / up - half + 1;
    const until = Math.min(filter.length, samples.length - first);
    let sum = 0;
    for (let tap = Math.max(0, -first); tap < until; tap++) sum += (samples[first + tap] ?? 0) * (filter[tap] ?? 0);
    result[at] = sum;
  }
  return result;
}

/** Converts a sound that arrives in parts. */
export type Resampler = (samples: Int16Array) => Int16Array;

/**
 * Converts a sound that arrives in parts to another rate, like {@link resample}. The last few milliseconds of a part,
 * whose neighbours are not known yet, come with the next one.
 */
export function createResampler(from: number, to: number): Resampler {
  if (from === to) return (samples) => samples;
  const divisor = commonDivisor(from, to);
  const [up, down] = [to / divisor, from / divisor];
  const edge = EDGE * Math.min(1, to / from);
  const half = Math.ceil(CROSSINGS / edge);
  const filters: Float64Array[] = [];
  /** What is kept of the sound, and the place of its first sample. */
  let kept = new Int16Array(half);
  let keptFrom = -half;
  let next = 0;
  return (samples) => {
    const known = new Int16Array(kept.length + samples.length);
    known.set(kept);
    known.set(samples, kept.length);
    const result = new Int16Array(Math.ceil((known.length * up) / down) + 1);
    let length = 0;
    for (;;) {
      const phase = (next * down) % up;
      const first = (next * down - phase) / up - half + 1 - keptFrom;
      if (first + 2 * half > known.length) break;
      const filter = filters[phase] ?? filterAt(phase / up, edge, half);
      filters[phase] = filter;
      let sum = 0;
      for (let tap = 0; tap < filter.length; tap++) sum += (known[first + tap] ?? 0) * (filter[tap] ?? 0);
      result[length++] = Math.max(-32_768, Math.min(32_767, Math.round(sum)));
      next += 1;
    }
    const start = Math.max(0, Math.floor((next * down) / up) - half + 1 - keptFrom);
    kept = known.slice(start);
    keptFrom += start;
    return result.subarray(0, length);
  };
}

/** The weights of the samples around a place that lies `offset` behind one of them. */
function filterAt(offset: number, edge: number, half: number): Float64Array {
  const taps = Float64Array.from({ length: 2 * half }, (_, index) => {
    const distance = index - half + 1 - offset;
    const inside = 1 - (distance / half) ** 2;
    return inside <= 0 ? 0 : sinc(distance * edge) * bessel(BETA * Math.sqrt(inside));
  });
  const sum = taps.reduce((total, tap) => total + tap, 0);
  return taps.map((tap) => tap / sum);
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** The modified Bessel function of order zero, by its series. */
function bessel(x: number): number {
  let [sum, term] = [1, 1];
  for (let number = 1; term > sum * 1e-12; number++) {
    term *= (x / (2 * number)) ** 2;
    sum += term;
  }
  return sum;
}

function commonDivisor(one: number, other: number): number {
  return other === 0 ? one : commonDivisor(other, one % other);
}
