export { CALL_LANGUAGES, type CallLanguage } from "./dictionary.ts";
export { createPseudonymizer, type Pseudonymizer, type PseudonymizerOptions } from "./pseudonymizer.ts";
