export { emitVapiTests, type VapiTests } from "./emit.ts";
export type { VapiEval } from "./eval.ts";
