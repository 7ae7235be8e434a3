import { redact } from "../../../base/redaction/mod.ts";
import { wordsWithHint } from "../../../base/values/mod.ts";
import type { Scenario } from "../../../document/scenario/mod.ts";
import type { ResultStatus } from "../../store/mod.ts";
import type { EngineCall } from "../call/mod.ts";

/** Derives a verdict from how the call ended. `pass` means that checks and judge decide. */
export function ruling(
  { endReason, endDetail, error }: EngineCall,
  { ends }: Scenario,
): { status: ResultStatus; error: string | null } {
  if (error !== undefined && !(endReason === "turn_timeout" && ends === "turn_timeout"))
    return { status: "error", error: resultErrorWords(error) };
  if (endReason === "aborted") return { status: "cancelled", error: null };
  if (endReason === "failed" && ends !== "failed") {
    return { status: "error", error: `The agent's model is stuck: ${endDetail ?? "the turn failed"}` };
  }
  return { status: "pass", error: null };
}

/** Formats an error for a result: its message and hint, with secrets redacted. */
export function resultErrorWords(error: unknown): string {
  return redact(wordsWithHint(error));
}
