export { type ExtractedSecrets, extractSecrets, findSecrets, type SecretVariable } from "./extract.ts";
export type { SecretKind } from "./patterns.ts";
export { redact } from "./redact.ts";
export { restoreSecrets } from "./restore.ts";
