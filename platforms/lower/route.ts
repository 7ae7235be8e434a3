import type { Path } from "../../src/base/errors.ts";
import type { Guard } from "./guard.ts";
import type { LoweredNode, WayBack } from "./pass.ts";

/** A path from one kept node to the next, through silent nodes. */
export interface Route {
  /** Id of the last node: a kept node, or an `end` or `transfer` node. */
  readonly target: string;
  /** Condition on variables. */
  readonly guard: Guard;
  /** Conditions that the model decides, in order. */
  readonly texts: readonly string[];
  /** Ids of the silent nodes, in order. */
  readonly through: readonly string[];
  /** Whether the route is taken without asking the model. */
  readonly forced: boolean;
  /** Whether the target waits for the caller before it speaks, because the source has just spoken. */
  readonly waits: boolean;
  /** Path of its first transition in the original graph. */
  readonly path: Path;
  /** Variables that its last transition sets. */
  readonly sets: { readonly [variable: string]: string };
  /** Present if the route goes back from a global node. */
  readonly back?: WayBack;
  /** Its transitions, in order. */
  readonly hops: readonly string[];
  /** The transitions that the model chooses. */
  readonly choices: readonly string[];
}

/** Returns the path of a transition in the original graph. */
export function transitionPath({ id, transitions }: LoweredNode, index: number): Path {
  return transitions[index]?.madeFrom ?? ["nodes", id, "transitions", index];
}
