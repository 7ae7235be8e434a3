export { auditCaller } from "./audit_caller.ts";
export { auditFacts } from "./audit_facts.ts";
export type { AuditedCall } from "./audited_call.ts";
