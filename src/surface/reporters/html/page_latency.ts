import type { LatencySummary } from "../../../call/latency/mod.ts";
import type { TurnLatency } from "../../../document/transcript/mod.ts";
import type { PageLatency, PageWait } from "../../web/mod.ts";
import { formatParts, formatWait } from "../latency.ts";

/** The latency section of the page: a row for each node, the slowest first, and one for all turns. */
export function latencyOf({ nodes, ...all }: LatencySummary): readonly PageLatency[] {
  return [...nodes, { nodeId: "all turns", ...all }].map(({ nodeId, turns, p50Ms, p95Ms, worstMs, parts }) => ({
    name: nodeId,
    turns,
    times: [p50Ms, p95Ms, worstMs].map(formatWait),
    made: formatParts(parts),
  }));
}

/** The latency section of one call. */
export function waitsOf(turns: readonly TurnLatency[]): readonly PageWait[] {
  return turns.map(({ turn, nodeId, firstWordMs, parts }) => ({
    turn: turn === 0 ? "opening" : `turn ${turn}`,
    node: nodeId,
    time: firstWordMs === null ? "nothing was said" : formatWait(firstWordMs),
    made: formatParts(parts),
  }));
}
