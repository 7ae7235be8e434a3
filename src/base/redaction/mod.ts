export type { Environment } from "./environment.ts";
export { createRedactor, type Redactor, redact } from "./redact.ts";
export { disjoint, type SecretKind, type Span } from "./span.ts";
export { assignedSpans, tokenSpans } from "./tokens.ts";
export { urlSpans } from "./urls.ts";
export { isLoosely, isRandom, isSecretName, nameWords } from "./words.ts";
