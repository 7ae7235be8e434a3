export { COMPARISON_POLICIES } from "./policy.ts";
export * from "./public.ts";
export { pairOfCalls, showCalls } from "./show_calls.ts";
