export { runsBaselineListCommand, runsBaselineRemoveCommand, runsBaselineSetCommand } from "./baseline.ts";
export { runsCompareCommand } from "./compare.ts";
export { openRuns, runsDeleteCommand } from "./delete.ts";
export { runsListCommand } from "./list.ts";
export { runsMergeCommand } from "./merge.ts";
export { runsRecoverCommand } from "./recover.ts";
export { runsShowCommand } from "./show.ts";
export { storedCalls } from "./stored_calls.ts";
