import {
  cut,
  formatSeconds,
  oneLine,
  pad,
  paint,
  plural,
  type Style,
  terminalWidth,
  wrap,
} from "../../base/values/mod.ts";
import type { LatencyFigures, LatencySummary } from "../../call/latency/mod.ts";
import type { LatencyParts, TurnLatency } from "../../document/transcript/mod.ts";

/** Number of nodes to show on a terminal; the others are in the JSON and HTML reports. */
const MOST_NODES = 10;
const WIDEST_NODE = 32;
const NUMBER = 8;
const PARTS = ["transition", "extraction", "tools", "reply"] as const satisfies readonly (keyof LatencyParts)[];

/** Formats a time until the first word: `340 ms`, `1.2 s`. */
export function formatWait(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : formatSeconds(ms);
}

/** Formats what a time was made of: `transition 400 ms, reply 1.2 s`. Parts that took no time are left out. */
export function formatParts(parts: LatencyParts | undefined): string {
  return PARTS.flatMap((part) =>
    parts && Math.round(parts[part]) > 0 ? [`${part} ${formatWait(parts[part])}`] : [],
  ).join(", ");
}

/** Formats the latency of a run as a table, the slowest node first. */
export function latencyLines(latency: LatencySummary, style: Style): readonly string[] {
  const shown = latency.nodes.slice(0, MOST_NODES);
  const rest = latency.nodes.length - shown.length;
  const rows: readonly { readonly name: string; readonly figures: LatencyFigures }[] = [
    { name: "all", figures: latency },
    ...shown.map((figures) => ({ name: oneLine(figures.nodeId), figures })),
  ];
  const room = Math.max(16, style.width - 4 * NUMBER - 4);
  const title = "First word";
  const column = Math.min(
    Math.max(...rows.map(({ name }) => terminalWidth(name) + 2), title.length),
    WIDEST_NODE,
    room,
  );
  const cells = (texts: readonly string[]) => texts.map((text) => text.padStart(NUMBER)).join("");
  return [
    paint(style, "dim", `${pad(title, column)}${cells(["turns", "p50", "p95", "worst"])}`),
    ...rows.map(({ name, figures: { turns, p50Ms, p95Ms, worstMs, parts } }) => {
      const figures = cells([String(turns), formatWait(p50Ms), formatWait(p95Ms), formatWait(worstMs)]);
      const line = `  ${pad(cut(name, column - 2), column - 2)}${figures}`;
      const made = formatParts(parts);
      return terminalWidth(line) + 2 + made.length <= style.width
        ? `${line}  ${paint(style, "dim", made)}`.trimEnd()
        : line;
    }),
    ...(rest > 0 ? [paint(style, "dim", `  … ${plural(rest, "faster node")}`)] : []),
  ];
}

/** Formats the turns of one call: `turn 1 at "book": 1.2 s (reply 1.2 s)`. */
export function turnLines(turns: readonly TurnLatency[], style: Style): readonly string[] {
  return turns.flatMap(({ turn, nodeId, firstWordMs, parts }) => {
    const who = `${turn === 0 ? "opening" : `turn ${turn}`}${nodeId === "" ? "" : ` at "${nodeId}"`}`;
    const made = formatParts(parts);
    const time = firstWordMs === null ? "nothing was said" : `${formatWait(firstWordMs)}${made && ` (${made})`}`;
    return wrap(style, `${who}: ${time}`, 4, "  · ");
  });
}
