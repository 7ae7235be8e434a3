export { type CodeReferences, takeCodeReferences } from "./code_references.ts";
export type { Environment } from "./environment.ts";
export { type ExtractedSecrets, extractSecrets, findSecrets, type SecretVariable } from "./extract.ts";
export { graphWithoutSecrets } from "./graph_without_secrets.ts";
export { createRedactor, type Redactor, type RedactorOptions, redact } from "./redact.ts";
export { codeReference, isVariableName, plainReferences } from "./references.ts";
export { type LeftReference, type Restored, restoreSecrets } from "./restore.ts";
export type { SecretKind } from "./span.ts";
export { withTakenOut } from "./taken_out.ts";
