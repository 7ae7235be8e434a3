/** Maximum number of steps; enough for any probability that floating point distinguishes from 1. */
const MOST_STEPS = 200;

/**
 * The standard normal distribution's quantile: 0.975 → 1.96. Newton's method, on the distribution's series.
 *
 * @param probability Above 0 and below 1.
 */
export function normalQuantile(probability: number): number {
  if (probability < 0.5) return -normalQuantile(1 - probability);
  const area = probability - 0.5;
  let quantile = 0;
  // From 0 the steps only grow towards the quantile, because the curve is concave there.
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const { density, areaFromZero } = normalAt(quantile);
    const next = quantile + (area - areaFromZero) / density;
    if (!(next > quantile)) return quantile;
    quantile = next;
  }
  return quantile;
}

/** Density at `x` and the area between 0 and `x`: density × (x + x³/3 + x⁵/(3·5) + …). */
function normalAt(x: number): { readonly density: number; readonly areaFromZero: number } {
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  let term = x;
  let sum = x;
  for (let odd = 3; term > sum * Number.EPSILON; odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return { density, areaFromZero: density * sum };
}
