import { ScenarioError } from "../../base/errors.ts";
import { quantile } from "../../base/statistics/mod.ts";
import { checkOptions, isRecord, rule } from "../../base/values/mod.ts";
import type { LatencyParts, TurnLatency } from "../../document/transcript/mod.ts";

/**
 * Computes how long callers waited for the agent's first word: median, 95th percentile and longest time, of all turns and
 * by the node that spoke first. Turns without a first word are left out.
 *
 * @param calls Results of runs and imported calls; those without `latency` are left out.
 * @returns `undefined` when no turn was measured.
 * @throws {ScenarioError} `invalid-option`.
 * @example
 * ```ts
 * import { summariseLatency } from "callweave/statistics";
 *
 * const latency = [
 *   { turn: 0, nodeId: "greet", firstWordMs: 0 },
 *   { turn: 1, nodeId: "book", firstWordMs: 1_200 },
 * ];
 * console.log(summariseLatency([{ latency }])?.nodes[0]?.nodeId); // book
 * ```
 */
export function summariseLatency(
  calls: readonly { readonly latency?: readonly TurnLatency[] | undefined }[],
): LatencySummary | undefined {
  checkOptions({ calls: calls ?? null }, RULES, ScenarioError, "Cannot summarise latency");
  const all: AnsweredTurn[] = [];
  const byNode = new Map<string, AnsweredTurn[]>();
  for (const { latency = [] } of calls)
    for (const { nodeId, firstWordMs: ms, parts } of latency) {
      if (ms === null) continue;
      const turn = { ms, parts };
      all.push(turn);
      const ofNode = byNode.get(nodeId);
      if (ofNode) ofNode.push(turn);
      else if (nodeId !== "") byNode.set(nodeId, [turn]);
    }
  if (all.length === 0) return undefined;
  const nodes = [...byNode].map(([nodeId, turns]) => ({ nodeId, ...figuresOf(turns) }));
  return { ...figuresOf(all), nodes: nodes.sort((a, b) => b.p95Ms - a.p95Ms) };
}

const PARTS = ["transition", "extraction", "tools", "reply"] as const satisfies readonly (keyof LatencyParts)[];

const RULES = {
  calls: rule(
    "a list of results or conversations",
    (value) => Array.isArray(value) && value.every((call) => isRecord(call) && areTurns(call.latency)),
  ),
};

function areTurns(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every(isTurn));
}

function isTurn(value: unknown): boolean {
  if (!isRecord(value) || typeof value.nodeId !== "string") return false;
  const { firstWordMs: ms, parts } = value;
  return (ms === null || typeof ms === "number") && (parts === undefined || isParts(parts));
}

function isParts(value: unknown): boolean {
  return isRecord(value) && PARTS.every((part) => typeof value[part] === "number");
}

interface AnsweredTurn {
  readonly ms: number;
  readonly parts: LatencyParts | undefined;
}

function figuresOf(turns: readonly AnsweredTurn[]): LatencyFigures {
  const sorted = turns.map(({ ms }) => ms).sort((a, b) => a - b);
  const known = turns.flatMap(({ parts }) => parts ?? []);
  return {
    turns: turns.length,
    p50Ms: rounded(quantile(sorted, 0.5)),
    p95Ms: rounded(quantile(sorted, 0.95)),
    worstMs: sorted.at(-1) ?? 0,
    ...(known.length > 0 ? { parts: meanOf(known) } : {}),
  };
}

function meanOf(parts: readonly LatencyParts[]): LatencyParts {
  const mean = (part: keyof LatencyParts) => rounded(parts.reduce((sum, each) => sum + each[part], 0) / parts.length);
  return { transition: mean("transition"), extraction: mean("extraction"), tools: mean("tools"), reply: mean("reply") };
}

/** To a tenth of a millisecond, as the times that were measured. */
function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}

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
