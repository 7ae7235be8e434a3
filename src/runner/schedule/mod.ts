export { FIRST_LIMIT, MOST_CALLS } from "./adaptive_limit.ts";
export { type Concurrency, createConcurrency } from "./concurrency.ts";
export type { FairLimit } from "./fair_limit.ts";
