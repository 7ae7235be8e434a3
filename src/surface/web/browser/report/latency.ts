import type { PageLatency, PageWait } from "../../page_data.ts";
import { section, table } from "./pieces.ts";

/** How long callers waited for the first word, by node. */
export function latencySection(rows: readonly PageLatency[] | undefined): HTMLElement | null {
  if (!rows || rows.length === 0) return null;
  return section(
    "First word",
    table(
      ["", "turns", "p50", "p95", "worst", "on average"],
      rows.map(({ name, turns, times, made }) => [name, turns.toLocaleString("en-US"), ...times, made]),
      "numbers latency",
    ),
  );
}

/** How long the caller of one call waited in each turn. */
export function waitSection(waits: readonly PageWait[] | undefined): HTMLElement | null {
  if (!waits || waits.length === 0) return null;
  const rows = waits.map(({ turn, node, time, made }) => [turn, node, time, made]);
  return section("First word", table(["", "node", "time", "parts"], rows, "latency"));
}
