export { auditTraits, type TraitsAudit } from "./audit_traits.ts";
