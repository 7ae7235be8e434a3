/** Deterministic pseudo-random numbers from 0 to 1 for a seed (xorshift32). */
export function seeded(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
  for (let index = 0; index < 10; index += 1) next();
  return next;
}

/** Trials of a scenario that passes with a probability. */
export function trialsOf(rate: number, trials: number, random: () => number) {
  let passes = 0;
  for (let index = 0; index < trials; index += 1) if (random() < rate) passes += 1;
  return { passes, trials };
}
