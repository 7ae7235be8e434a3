/** Truncates a text to a number of UTF-16 units without splitting a character. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, Math.max(0, most)).replace(/[\uD800-\uDBFF]$/, "");
}
