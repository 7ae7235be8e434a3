import type { Usage } from "../transcript/mod.ts";
import { plural } from "./plural.ts";

type Total = Omit<Usage, "byRole">;

/** What model calls came to, in one line: `12 model calls, 3,400 tokens, $0.0021`. Where nothing has a price, no cost. */
export function formatUsage({ calls, inputTokens, outputTokens, costUsd, retries = 0 }: Total): string {
  const again = retries === 0 ? "" : ` (${retries === 1 ? "1 retry" : `${retries.toLocaleString("en-US")} retries`})`;
  const parts = [`${plural(calls, "model call")}${again}`, plural(inputTokens + outputTokens, "token")];
  if (costUsd !== undefined && costUsd > 0) parts.push(formatDollars(costUsd));
  return parts.join(", ");
}

/** The same by role, a line for each that has called a model; none where there is only one. */
export function roleLines({ byRole }: Usage): readonly string[] {
  const used = byRole ? (["agent", "caller", "judge"] as const).filter((role) => byRole[role].calls > 0) : [];
  if (!byRole || used.length < 2) return [];
  return used.map((role) => `${role}: ${formatUsage(byRole[role])}`);
}

/** Dollars: cents, or two digits of less than that: `$12.40`, `$0.0021`, `$0`. */
export function formatDollars(dollars: number): string {
  if (dollars === 0 || dollars >= 0.01) return `$${dollars === 0 ? "0" : dollars.toFixed(2)}`;
  return `$${new Intl.NumberFormat("en-US", { maximumSignificantDigits: 2 }).format(dollars)}`;
}
