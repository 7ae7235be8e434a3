export { vapiRefusals } from "./api/mod.ts";
export { VAPI } from "./facts.ts";
export { emitVapiTests, type VapiEval, type VapiTests } from "./simulations.ts";
