export { takeCodeReferences } from "./code_references.ts";
export { type ExtractedSecrets, extractSecrets, findSecrets, type SecretVariable } from "./extract.ts";
export { graphWithoutSecrets } from "./graph_without_secrets.ts";
export { type HiddenDocument, hideSecrets, revealSecrets } from "./hide.ts";
export { codeReference, isVariableName, plainReferences, referencedNames } from "./references.ts";
export { type LeftReference, restoreSecrets } from "./restore.ts";
export { replaceTexts } from "./strings.ts";
export { withTakenOut } from "./taken_out.ts";
