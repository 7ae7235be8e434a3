import type { EndReason, Message } from "../graph/mod.ts";
import type { Caller } from "./caller.ts";
import { createScriptedCaller } from "./script.ts";

/** A call that was held before, as far as a replay needs it. */
export interface RecordedCall {
  readonly transcript: readonly Message[];
  /** A caller who hung up then hangs up again. */
  readonly end_reason?: EndReason | null;
}

/** A caller that says again what the caller of a recorded call said. */
export function createReplayCaller({ transcript, end_reason }: RecordedCall): Caller {
  const lines = transcript.filter(({ role }) => role === "user").map(({ content }) => content);
  return createScriptedCaller(lines, end_reason === "caller_ended" ? "caller_ended" : "caller_exhausted");
}
