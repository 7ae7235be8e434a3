/** Returns the texts that occur more than once in a list, in the order of their second occurrence. */
export function repeated(texts: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(texts.filter((text) => seen.has(text) || !seen.add(text)));
}
