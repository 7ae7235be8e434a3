export type { Environment } from "./environment.ts";
export { type ExtractedSecrets, extractSecrets, findSecrets, type SecretVariable } from "./extract.ts";
export { graphWithoutSecrets } from "./graph_without_secrets.ts";
export { createRedactor, type Redactor, type RedactorOptions, redact } from "./redact.ts";
export { restoreSecrets } from "./restore.ts";
export type { SecretKind } from "./span.ts";
