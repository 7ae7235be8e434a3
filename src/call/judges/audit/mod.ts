export { auditCaller } from "./audit_caller.ts";
export { auditFacts } from "./audit_facts.ts";
export type { AuditedCall } from "./audited_call.ts";
export { type StatedFact, statedFacts } from "./stated_facts.ts";
