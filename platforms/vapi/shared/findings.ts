import type { Path } from "../../../src/errors.ts";
import type { Finding } from "../../platform.ts";

/** What checking for Vapi can find; the README says what each means. */
export type FindingCode =
  | "alias-name"
  | "alias-length"
  | "assistant-name-length"
  | "assistant-name-duplicate"
  | "code-length"
  | "description-length"
  | "end-call-phrase"
  | "function-name"
  | "handoff-undescribed"
  | "malformed-liquid"
  | "message-length"
  | "number-range"
  | "repeated-greeting"
  | "tool-duplicate"
  | "unknown-assistant"
  | "unknown-key";

/** Collects findings under the places that they are at in the graph. */
export class FindingList {
  readonly #found: Finding[] = [];

  /** Vapi answers with an error. */
  error(code: FindingCode, path: Path, message: string, hint: string): void {
    this.#found.push({ code, severity: "error", path, message, hint });
  }

  /** Vapi takes it, and does something else than one would think. */
  warning(code: FindingCode, path: Path, message: string, hint: string): void {
    this.#found.push({ code, severity: "warning", path, message, hint });
  }

  all(): readonly Finding[] {
    return this.#found;
  }
}
