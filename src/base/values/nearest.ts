/** Returns the candidate most similar to a mistyped name; `undefined` when none is similar. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  if (typeof name !== "string") return undefined; // plain JavaScript may pass other types
  let best: string | undefined;
  let least = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= least) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    // short names without a common letter are not similar
    if (distance < least && distance < Math.max(name.length, candidate.length)) [best, least] = [candidate, distance];
  }
  return best;
}

/** Returns a hint with the most similar candidate, else another hint. */
export function didYouMean(name: string, candidates: Iterable<string>, otherwise: string): string {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? otherwise : `Did you mean "${nearest}"?`;
}

/** Returns the Levenshtein distance. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Minimum length of a key to compare; shorter ones are similar to many words. */
const LONG_ENOUGH = 5;

/**
 * Whether a key of a document is a misspelling of a known one: other casing or plural (`toolMocks`, `include`), or up
 * to two wrong letters (`state_promt`, `rigth`). A leading mark, as in `_type` and `//metrics`, is intentional.
 */
export function isTypoOf(known: string, key: string): boolean {
  if (key === known || !/^[a-z]/i.test(key)) return false;
  if (bareKey(known) === bareKey(key) || isSwapped(known, key)) return true;
  const most = key.length >= LONG_ENOUGH + 2 ? 2 : 1;
  return key.length >= LONG_ENOUGH && editDistance(known.toLowerCase(), key.toLowerCase()) <= most;
}

/**
 * Returns the known key that a key of a document stands for: a misspelt one, or the only one that begins with its words,
 * or that its words begin with (`destination`, `left_side`).
 */
export function nearestKey(key: string, known: readonly string[]): string | undefined {
  const akin = known.filter((each) => `${each}_`.startsWith(`${key}_`) || `${key}_`.startsWith(`${each}_`));
  const only = akin.length === 1 && key.length >= LONG_ENOUGH && (akin[0] ?? "").length >= LONG_ENOUGH - 1;
  return known.find((each) => isTypoOf(each, key)) ?? (only ? akin[0] : undefined);
}

/** Whether two neighbouring letters are swapped: `rigth`. */
function isSwapped(one: string, other: string): boolean {
  const at = [...one].findIndex((letter, index) => letter !== other[index]);
  const swapped = one.slice(0, at) + (one[at + 1] ?? "") + (one[at] ?? "") + one.slice(at + 2);
  return at >= 0 && one.length > 2 && swapped === other;
}

function bareKey(key: string): string {
  return key
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .replace(/s$/, "");
}
