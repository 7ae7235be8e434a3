import { createHash } from "node:crypto";
import { platformOf, type RecordedCall } from "../../../../platforms/mod.ts";
import { canonicalJson } from "../../../base/values/mod.ts";
import { idFromBytes } from "../../store/mod.ts";

/**
 * Returns the id under which a call is stored, the same for every file, run or process that imports it: derived from the
 * platform's id, else from the call's content. Compute it before anything in the call is replaced.
 */
export function identityOf(call: RecordedCall): string {
  const { provenance, startedAt, transcript } = call;
  const { format, callId, facts } = provenance;
  const key =
    callId !== null && platformOf(format)?.calls?.hasUniqueIds
      ? [format, callId]
      : [format, callId, startedAt, transcript, call.toolsCalled, call.variables, facts ?? {}];
  return idFromBytes(createHash("sha256").update(canonicalJson(key)).digest());
}
