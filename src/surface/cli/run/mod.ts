export { CALL_FLAGS, compareTurnsCommand, RUN_FLAGS } from "./compare_turns.ts";
export { executeRun, exitCodeOf } from "./execute_run.ts";
export { connectionNamed, LIVE_FLAGS, openDeployed } from "./live_agent.ts";
export { GRAPH_FLAGS, SOURCE_FLAGS } from "./load_run.ts";
export { readChoice, readRunOptions, readRunSettings } from "./read_settings.ts";
export { runCommand } from "./run.ts";
export { runSummary } from "./run_summary.ts";
export { verifyCommand } from "./verify.ts";
