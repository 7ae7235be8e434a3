export { DEFAULT_GATE, GATE_NEEDS, isGate, neededPasses } from "./gate.ts";
export * from "./public.ts";
export { quantile } from "./quantile.ts";
