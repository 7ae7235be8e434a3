export { createPseudonymizer, type Pseudonymizer, type PseudonymizerOptions } from "./personal/mod.ts";
export type { RecordedCall, UnreadableCall } from "./recorded_call.ts";
