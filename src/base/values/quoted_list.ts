/**
 * Formats names for a message: `"a", "b"`, or `"a", "b" and 3 more`.
 *
 * @param most Number of names that are listed. Default: all.
 */
export function quotedList(names: readonly string[], most: number = names.length): string {
  const listed = names.slice(0, most).map((name) => `"${name}"`);
  return listed.join(", ") + (names.length > most ? ` and ${names.length - most} more` : "");
}
