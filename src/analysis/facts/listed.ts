/** Ids in quotes, the first five by name: `"a", "b" and 3 more`. */
export function listed(ids: readonly string[]): string {
  const shown = ids.slice(0, 5).map((id) => `"${id}"`);
  return shown.join(", ") + (ids.length > 5 ? ` and ${ids.length - 5} more` : "");
}
