import { comparedWords } from "./words.ts";

/** A vector of length 1, or 0, with its coordinates in ascending order. */
export interface Vector {
  readonly keys: Int32Array;
  readonly values: Float32Array;
}

/** Vectors of calls, and a function that maps other texts to the same space. */
export interface Space {
  readonly size: number;
  readonly vectors: readonly Vector[];
  vectorOf(text: string): Vector;
}

/** A text, and how many calls have it. */
export interface WeightedText {
  readonly text: string;
  readonly weight: number;
}

/** From this number of calls on, words that occur in one call only are ignored: they would only make it less similar. */
const MANY = 10;
/** Weight of a word that occurs in no call, in a text that is compared with calls. */
const UNKNOWN_WEIGHT = 1;

/**
 * Weighs the words of texts by how rare they are (TF-IDF).
 *
 * @param texts Each once.
 * @see https://en.wikipedia.org/wiki/Tf%E2%80%93idf
 */
export function wordSpace(texts: readonly WeightedText[]): Space {
  const lists = texts.map(({ text, weight }) => ({ weight, keys: new Set(comparedWords(text).map(({ key }) => key)) }));
  const total = texts.reduce((sum, { weight }) => sum + weight, 0);
  const counts = new Map<string, number>();
  for (const { keys, weight } of lists) for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + weight);
  const least = total >= MANY ? 2 : 1;
  const known = [...counts].filter(([, count]) => count >= least).sort(([a], [b]) => (a < b ? -1 : 1));
  const places = new Map(known.map(([key], place) => [key, place] as const));
  const weights = known.map(([, count]) => Math.log((1 + total) / (1 + count)) + 1);
  const vector = (keys: ReadonlySet<string>, unknownWeight: number): Vector => {
    const found = [...keys].flatMap((key) => places.get(key) ?? []).sort((a, b) => a - b);
    const unknown = (keys.size - found.length) * unknownWeight ** 2;
    const values = found.map((place) => weights[place] ?? 0);
    return scaled(found, values, unknown);
  };
  return {
    size: known.length,
    vectors: lists.map(({ keys }) => vector(keys, 0)),
    vectorOf: (text) => vector(new Set(comparedWords(text).map(({ key }) => key)), UNKNOWN_WEIGHT),
  };
}

/** Vectors of an embedding model, scaled to length 1. */
export function denseVector(values: readonly number[]): Vector {
  return scaled([...values.keys()], values, 0);
}

function scaled(keys: readonly number[], values: readonly number[], more: number): Vector {
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, more));
  return {
    keys: Int32Array.from(keys),
    values: Float32Array.from(values, (value) => (length === 0 ? 0 : value / length)),
  };
}

/** The weighted mean of vectors. */
export function meanOf(vectors: readonly Vector[], weights: readonly number[], size: number): Float64Array {
  const mean = new Float64Array(size);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  for (const [index, { keys, values }] of vectors.entries())
    for (const [place, key] of keys.entries())
      mean[key] = (mean[key] ?? 0) + ((values[place] ?? 0) * (weights[index] ?? 0)) / total;
  return mean;
}

/** The similarity of a vector to a mean: the average of its similarities to the vectors of the mean. */
export function similarityTo(mean: Float64Array, { keys, values }: Vector): number {
  let sum = 0;
  for (let place = 0; place < keys.length; place++) sum += (values[place] ?? 0) * (mean[keys[place] ?? 0] ?? 0);
  return sum;
}
