import type { Path } from "../errors.ts";

/** A problem or a remark in a graph or a platform document. */
export interface Finding {
  /** Stable and kebab-case. */
  readonly code: string;
  /** `error`: calls will fail. `warning`: calls may fail. `info`: no action needed. */
  readonly severity: "error" | "warning" | "info";
  readonly path: Path;
  readonly message: string;
  /** What is emitted instead of something that the platform does not support. */
  readonly instead?: string;
  /** What to change. */
  readonly hint?: string;
}
