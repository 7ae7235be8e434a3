/**
 * The value below which a share of the values lies, interpolated between the two closest ones.
 *
 * @param sorted In ascending order; at least one.
 * @param share From 0 to 1: 0.5 for the median.
 * @see R. J. Hyndman, Y. Fan, Sample quantiles in statistical packages, The American Statistician 50 (1996), type 7.
 */
export function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? below;
  return below + (above - below) * (at - Math.floor(at));
}
