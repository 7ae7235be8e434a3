import type { TransitionCondition } from "../../../document/graph/mod.ts";
import type { EndReason } from "../../../document/transcript/mod.ts";
import type { ValueFact } from "../equations/mod.ts";
import type { EvaluatedClause, PathStep } from "./path.ts";

/**
 * What a call is about to do at a node: wait for the caller, arrive in a turn, go on with a reply that may call tools,
 * choose a transition after silent work, or nothing more.
 */
export type Phase = "rest" | "walk" | "reply" | "route" | "over";

/** Where a call is within its graph, without the values of variables and the nodes that global nodes go back to. */
export interface PathPosition {
  readonly node: string;
  readonly phase: Phase;
  /** Transitions taken in this turn. */
  readonly hops: number;
  /** Whether a static text was spoken since the node was entered. `true` for all other nodes. */
  readonly spoken: boolean;
  /** Reply: the first transition that a tool's outcome fits, else -1. */
  readonly match: number;
  /** Route: the outcome of the node's tool. */
  readonly outcome?: "succeeded" | "failed";
  /** Reply: the end that a tool has brought about. Over: why the call has ended. */
  readonly reason?: EndReason;
}

/** A variable that a step may set. */
export interface Write {
  readonly variable: string;
  readonly fact: ValueFact;
}

/** A condition that must be true, or false, for an edge to be taken. */
export interface Read {
  readonly condition: TransitionCondition;
  readonly holds: boolean;
}

/** The cells that an edge sets, one for each of its writes; `undefined`: not followed, or the value is kept. */
export type Choice = readonly (number | undefined)[];

/** Stands for the node that a global node goes back to, until that is known. */
export const BACK = "\u0000back";

/** One way on from a place. */
export interface PathEdge {
  readonly steps: readonly PathStep[];
  /** Variables that the last step may set; each may also keep its value. */
  readonly writes?: readonly Write[];
  readonly reads?: readonly Read[];
  readonly to: PathPosition;
  /** Whether the call moves to another node; `back` to the node from which the global node was entered. */
  readonly moves?: "forward" | "back";
  /** The clause for whose value the edge stands. */
  readonly evaluates?: EvaluatedClause;
}

export function placeKey({ node, phase, hops, spoken, match, outcome, reason }: PathPosition): string {
  return `${phase}|${hops}|${spoken ? 1 : 0}|${match}|${outcome ?? ""}|${reason ?? ""}|${node}`;
}
