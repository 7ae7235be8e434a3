export * from "./public.ts";
export { type Literal, literalsIn, rewriteLiteral, type TextChange, textChanges, withText } from "./source/mod.ts";
export { DEFAULT_ITERATIONS, DEFAULT_REPEATS } from "./verify/mod.ts";
