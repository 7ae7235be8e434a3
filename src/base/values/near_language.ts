/**
 * Returns the nearest known language tag: the same tag, else the language without a region (`de` for `de-AT`), with its
 * home region (`de-DE` for `de`, `en-US` for `en`) or with any region.
 */
export function nearLanguage(known: readonly string[], tag: string): string | undefined {
  const [base = ""] = tag.toLowerCase().split(/[-_]/);
  const wanted = [tag.toLowerCase(), base, base === "en" ? "en-us" : `${base}-${base}`];
  const found = wanted.map((each) => known.find((candidate) => candidate.toLowerCase() === each));
  return found.find((each) => each !== undefined) ?? known.find((each) => each.startsWith(`${base}-`));
}
