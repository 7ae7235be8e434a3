import type { Path } from "../../src/errors.ts";
import type { Guard } from "./guard.ts";
import type { WayBack } from "./pass.ts";

/** One way from a member to where the caller is next spoken to, or to the end of the call. */
export interface Route {
  /** A member, or an `end` or `transfer` node that is none. */
  readonly target: string;
  /** What variables say about it. */
  readonly guard: Guard;
  /** What the model judges, in the order in which it is met. */
  readonly texts: readonly string[];
  /** The silent nodes it leads through, in order. */
  readonly through: readonly string[];
  /** Nothing but the graph decides: it is taken without anyone being asked. */
  readonly forced: boolean;
  /** The target stays silent until the caller speaks: the source has spoken in its stead. */
  readonly waits: boolean;
  /** The transition of the graph that it starts with. */
  readonly path: Path;
  /** Variables that its last transition sets. */
  readonly sets: { readonly [variable: string]: string };
  /** It leads back out of a global node. */
  readonly back?: WayBack;
  /** The transitions of the graph that it follows, in order. */
  readonly hops: readonly string[];
  /** Those of them that the model chooses: no variable says whether they are taken. */
  readonly choices: readonly string[];
}
