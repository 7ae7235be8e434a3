export * from "./public.ts";
export { DEFAULT_ITERATIONS, DEFAULT_REPEATS } from "./verify/mod.ts";
