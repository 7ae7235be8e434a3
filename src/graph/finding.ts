import type { Path } from "../errors.ts";

/** Something in a graph or a platform's document that its owner should know. */
export interface Finding {
  /** Stable and kebab-case. */
  readonly code: string;
  /** `error`: a call will go wrong. `warning`: one may. `info`: nothing has to be done. */
  readonly severity: "error" | "warning" | "info";
  readonly path: Path;
  readonly message: string;
  /** Of something that a target cannot hold: what is emitted instead, if anything. */
  readonly instead?: string;
  /** What to change; absent where there is nothing to do. */
  readonly hint?: string;
}
