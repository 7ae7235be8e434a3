/**
 * Returns the known tag for a language: the same one, else the language without a region (`de` for `de-AT`), in its home
 * region (`de-DE` for `de`, `en-US` for `en`) or in any region.
 */
export function nearLanguage(known: readonly string[], tag: string): string | undefined {
  const [base = ""] = tag.toLowerCase().split(/[-_]/);
  const wanted = [tag.toLowerCase(), base, base === "en" ? "en-us" : `${base}-${base}`];
  const found = wanted.map((each) => known.find((candidate) => candidate.toLowerCase() === each));
  return found.find((each) => each !== undefined) ?? known.find((each) => each.startsWith(`${base}-`));
}
