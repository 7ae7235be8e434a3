/** Shortens a text to a number of UTF-16 units before an ellipsis, without splitting a character. */
export function shorten(text: string, most: number): string {
  return text.length > most ? `${clip(text, most)}…` : text;
}

/** Truncates a text to a number of UTF-16 units without splitting a character. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, Math.max(0, most)).replace(/[\uD800-\uDBFF]$/, "");
}
