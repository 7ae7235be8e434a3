import type { Path } from "../../../../src/errors.ts";
import { createLoss } from "../../../loss.ts";
import type { Loss } from "../../../platform.ts";

/** Every code that emitting for Vapi can report; the README says what each means. */
export const LOSS_CODES = [
  "contracted",
  "dead-end",
  "edge-priority",
  "equation-as-trigger",
  "extraction-left-empty",
  "extraction-timing",
  "fixed-words",
  "forced-transition",
  "function-execution",
  "go-back-timing",
  "member-renamed",
  "model-provider",
  "nested-global-return",
  "node-settings",
  "platform-settings",
  "platform-variable",
  "schema-keyword",
  "self-transition",
  "setting-corrected",
  "setting-dropped",
  "steps-in-prompt",
  "text-clipped",
  "tool-dropped",
  "tool-outcome",
  "tool-renamed",
  "tool-settings",
  "transfer-destination",
  "transfer-failure-routing",
  "unknown-snippet",
  "unknown-tool-type",
  "unreachable-transition",
  "variable-renamed",
  "workflow-settings",
] as const;

/** One of {@link LOSS_CODES}. */
export type LossCode = (typeof LOSS_CODES)[number];

/** Collects losses, each code once for a place. */
export class LossList {
  readonly #found = new Map<string, Loss>();

  add(loss: Loss & { readonly code: LossCode }): void {
    const key = JSON.stringify([loss.code, loss.path]);
    if (!this.#found.has(key)) this.#found.set(key, loss);
  }

  /** Shorthand for a place where something else does the work. */
  emulated(code: LossCode, path: Path, message: string, instead: string, hint?: string): void {
    this.add({ ...createLoss({ code, kind: "emulated", path, message, instead, hint }), code });
  }

  /** Shorthand for a place where nothing does the work. */
  dropped(code: LossCode, path: Path, message: string, instead: string | undefined, hint: string): void {
    this.add({ ...createLoss({ code, kind: "dropped", path, message, instead, hint }), code });
  }

  all(): readonly Loss[] {
    return [...this.#found.values()];
  }
}
