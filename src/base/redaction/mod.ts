export { createRedactor, type Environment, type Redactor, redact } from "./redact.ts";
export { assignedSpans, disjoint, type SecretKind, type Span, tokenSpans, urlSpans } from "./tokens.ts";
export { isLoosely, isRandom, isSecretName, nameWords } from "./words.ts";
