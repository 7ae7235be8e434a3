export { createComparison } from "./compare_replay.ts";
