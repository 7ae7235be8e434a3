import { type AuditedCall, auditCaller, auditFacts } from "../../../call/judges/mod.ts";
import type { CallOptions, Model } from "../../../call/models/mod.ts";
import type { AUDIT_MODES } from "../../../document/settings/mod.ts";
import type { CallerAudit } from "../../../document/transcript/mod.ts";

/** How simulated callers are audited; `judging.audit` of {@link RunOptions} describes each mode. */
export type AuditMode = (typeof AUDIT_MODES)[number];

/**
 * Audits the simulated caller of a finished call. The judge's model is asked only if the facts alone show nothing.
 *
 * @returns The findings; `undefined` when there are none.
 * @throws {ModelError} When the judge's model fails.
 */
export async function auditCall(
  call: AuditedCall,
  mode: AuditMode,
  options: CallOptions & { readonly model: Model },
): Promise<CallerAudit | undefined> {
  if (mode === "off") return undefined;
  const invented = auditFacts(call);
  const findings = invented.length > 0 || mode === "facts" ? invented : await auditCaller(call, options);
  return findings.length > 0 ? { findings } : undefined;
}
