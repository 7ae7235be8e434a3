import { createHash } from "node:crypto";
import { canonicalJson } from "../../../base/values/mod.ts";
import { idFromBytes } from "../../store/mod.ts";
import type { RecordedCall } from "../recorded_call.ts";

/** Formats whose ids are globally unique. */
const WITH_UNIQUE_IDS = ["retell", "vapi"];

/**
 * Returns the id under which a call is stored, the same for every file, run or process that imports it: derived from the
 * platform's id, else from the call's content. Compute it before anything in the call is replaced.
 */
export function identityOf(call: RecordedCall): string {
  const { provenance, startedAt, transcript } = call;
  const { format, callId, facts } = provenance;
  const key =
    callId !== null && WITH_UNIQUE_IDS.includes(format)
      ? [format, callId]
      : [format, callId, startedAt, transcript, call.toolsCalled, call.variables, facts ?? {}];
  return idFromBytes(createHash("sha256").update(canonicalJson(key)).digest());
}
