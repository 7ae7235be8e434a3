export { toolOfCheck } from "./findings.ts";
export * from "./public.ts";
export { ATTACK_KINDS } from "./types.ts";
