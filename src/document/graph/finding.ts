import type { Path } from "../../base/errors.ts";

/** An example that shows a finding. */
export interface Witness {
  /** Ids of nodes that a call visits, in order. */
  readonly path?: readonly string[];
  /** Values of variables; a variable that is absent is not set. */
  readonly variables?: { readonly [name: string]: string };
}

/** A problem or note about a graph or platform document. */
export interface Finding {
  /** Stable and kebab-case. */
  readonly code: string;
  /** `error`: calls will fail. `warning`: calls may fail. `info`: no action needed. */
  readonly severity: "error" | "warning" | "info";
  readonly path: Path;
  readonly message: string;
  /** The replacement that is emitted for a feature that the platform does not support. */
  readonly instead?: string;
  /** One change that resolves the finding. */
  readonly hint?: string;
  readonly witness?: Witness;
}
