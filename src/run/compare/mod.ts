export { COMPARISON_POLICIES } from "./policy.ts";
export * from "./public.ts";
export { firstDivergence, pairOfCalls, showCalls } from "./show_calls.ts";
