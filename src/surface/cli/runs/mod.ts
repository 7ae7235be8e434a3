export { runsBaselineListCommand, runsBaselineRemoveCommand, runsBaselineSetCommand } from "./baseline.ts";
export { runsCompareCommand } from "./compare.ts";
export { runsDeleteCommand } from "./delete.ts";
export { runsListCommand } from "./list.ts";
export { runsMergeCommand } from "./merge.ts";
export { openRuns } from "./open_runs.ts";
export { runsRecoverCommand } from "./recover.ts";
export { runsShowCommand } from "./show.ts";
export { storedCalls } from "./stored_calls.ts";
