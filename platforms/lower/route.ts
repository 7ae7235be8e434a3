import type { Path } from "../../src/errors.ts";
import type { Guard } from "./guard.ts";
import type { LoweredNode, WayBack } from "./pass.ts";

/** A path from a node that stays to the next one, through silent nodes. */
export interface Route {
  /** Id of the node at the end: one that stays, or an `end` or `transfer` node. */
  readonly target: string;
  /** Condition that variables decide. */
  readonly guard: Guard;
  /** Conditions that the model judges, in order. */
  readonly texts: readonly string[];
  /** Ids of the silent nodes, in order. */
  readonly through: readonly string[];
  /** Whether the route is taken without asking the model. */
  readonly forced: boolean;
  /** Whether the target waits for the caller before it speaks, because the source has just spoken. */
  readonly waits: boolean;
  /** Path of its first transition in the graph. */
  readonly path: Path;
  /** Variables that its last transition sets. */
  readonly sets: { readonly [variable: string]: string };
  /** Set if it leads back out of a global node. */
  readonly back?: WayBack;
  /** Its transitions, in order. */
  readonly hops: readonly string[];
  /** The transitions that the model chooses. */
  readonly choices: readonly string[];
}

/** Where the original graph has a transition. */
export function transitionPath({ id, transitions }: LoweredNode, index: number): Path {
  return transitions[index]?.madeFrom ?? ["nodes", id, "transitions", index];
}
