import { formatDollars, plural } from "../../base/values/mod.ts";
import type { Usage } from "../../document/transcript/mod.ts";

type Total = Omit<Usage, "byRole">;

/** Formats usage as one line: `12 model calls, 3,400 tokens, $0.0021`. The cost is left out when it is unknown. */
export function formatUsage({ calls, inputTokens, outputTokens, costUsd, retries = 0 }: Total): string {
  const again = retries === 0 ? "" : ` (${retries === 1 ? "1 retry" : `${retries.toLocaleString("en-US")} retries`})`;
  const parts = [`${plural(calls, "model call")}${again}`, plural(inputTokens + outputTokens, "token")];
  if (costUsd !== undefined && costUsd > 0) parts.push(formatDollars(costUsd));
  return parts.join(", ");
}

/** Formats usage per role, one line each. Returns no lines when only one role called a model. */
export function roleLines({ byRole }: Usage): readonly string[] {
  const used = byRole ? (["agent", "caller", "judge"] as const).filter((role) => byRole[role].calls > 0) : [];
  if (!byRole || used.length < 2) return [];
  return used.map((role) => `${role}: ${formatUsage(byRole[role])}`);
}
