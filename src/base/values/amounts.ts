/** Formats dollars with cents, or with two significant digits below a cent: `$12.40`, `$0.0021`, `$0`. */
export function formatDollars(dollars: number): string {
  if (dollars === 0 || dollars >= 0.01) return `$${dollars === 0 ? "0" : dollars.toFixed(2)}`;
  return `$${new Intl.NumberFormat("en-US", { maximumSignificantDigits: 2 }).format(dollars)}`;
}

/** Formats milliseconds as seconds: `12.4 s`. */
export function formatSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** Formats a count: `1 turn`, `2 turns`, `1,204 turns`. */
export function plural(count: number, word: string): string {
  return `${count.toLocaleString("en-US")} ${word}${count === 1 ? "" : "s"}`;
}
