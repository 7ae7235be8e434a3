export { createPseudonymizer, type Pseudonymizer, type PseudonymizerOptions } from "./pseudonymizer.ts";
