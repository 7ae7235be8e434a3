/** Share of three-word sequences that two texts have in common to be similar. */
const SIMILAR = 0.8;
/** Hashes of a text that are compared; similar texts share most of them. */
const BANDS = 8;
const ROWS = 2;
/** Texts with one hash in common that are compared with each other. */
const MOST_ALIKE = 20;

/**
 * Pairs of different texts with nearly the same words. Only texts that share hashes are compared (MinHash in bands), so
 * the time grows with the number of texts and not with its square. Each text is in at most one pair as the second.
 */
export function similarPairs(texts: readonly string[]): readonly (readonly [string, string])[] {
  const sequences = texts.map(sequencesOf);
  const buckets = new Map<string, number[]>();
  const paired = new Set<number>();
  const pairs: (readonly [string, string])[] = [];
  for (const [index, own] of sequences.entries()) {
    for (const key of bandsOf(own)) {
      const alike = buckets.get(key);
      if (!alike) {
        buckets.set(key, [index]);
        continue;
      }
      for (const other of alike) {
        if (paired.has(index) || !areSimilar(own, sequences[other] ?? new Set())) continue;
        paired.add(index);
        pairs.push([texts[other] ?? "", texts[index] ?? ""]);
      }
      if (alike.length < MOST_ALIKE) alike.push(index);
    }
  }
  return pairs;
}

/** Hashes of all sequences of three words. */
function sequencesOf(text: string): ReadonlySet<number> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.slice(2).map((word, index) => hashOf(`${words[index]} ${words[index + 1]} ${word}`)));
}

function bandsOf(sequences: ReadonlySet<number>): readonly string[] {
  const least = new Array<number>(BANDS * ROWS).fill(0xffffffff);
  for (const hash of sequences)
    for (let seed = 0; seed < least.length; seed++) {
      const mixed = mix(hash ^ Math.imul(seed + 1, 0x9e3779b1));
      if (mixed < (least[seed] ?? 0)) least[seed] = mixed;
    }
  return Array.from({ length: BANDS }, (_, band) => `${band}:${least.slice(band * ROWS, (band + 1) * ROWS).join(" ")}`);
}

function areSimilar(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  let shared = 0;
  for (const hash of one) if (other.has(hash)) shared++;
  return shared >= SIMILAR * (one.size + other.size - shared);
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** Spreads a hash over all bits (the finalizer of MurmurHash3). */
function mix(value: number): number {
  let hash = value ^ (value >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
