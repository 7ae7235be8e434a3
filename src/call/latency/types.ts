import type { LatencyParts } from "../../document/transcript/mod.ts";

/** How long callers waited for the agent's first word, in milliseconds. */
export interface LatencyFigures {
  /** Number of turns that were answered and measured. */
  readonly turns: number;
  /** Half of the turns were answered within this time. */
  readonly p50Ms: number;
  /** 95 % of the turns were answered within this time. */
  readonly p95Ms: number;
  readonly worstMs: number;
  /** The mean parts of the time, over the turns whose parts are known; absent if there are none. */
  readonly parts?: LatencyParts;
}

/** Figures of the turns in which one node spoke first. */
export interface NodeLatency extends LatencyFigures {
  readonly nodeId: string;
}

/** Figures of a run, or of other calls. */
export interface LatencySummary extends LatencyFigures {
  /** The nodes that spoke first, the one with the highest `p95Ms` first. Turns whose node is not known are left out. */
  readonly nodes: readonly NodeLatency[];
}
