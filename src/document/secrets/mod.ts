export {
  type ExtractedSecrets,
  extractSecrets,
  findSecrets,
  graphWithoutSecrets,
  type SecretVariable,
} from "./extract.ts";
export { type HiddenDocument, hideSecrets, revealSecrets } from "./hide.ts";
export { type LeftReference, restoreSecrets, takeCodeReferences } from "./restore.ts";
export { codeReference, isVariableName, plainReferences, referencedNames, replaceTexts } from "./strings.ts";
export { withTakenOut } from "./taken_out.ts";
