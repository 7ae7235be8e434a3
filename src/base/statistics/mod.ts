export { type DropOptions, type DropTest, holm, testDrop } from "./drop.ts";
export * from "./public.ts";
export { DEFAULT_GATE, GATE_NEEDS, isGate, neededPasses, quantile } from "./rates.ts";
