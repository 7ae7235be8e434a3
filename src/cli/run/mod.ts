export { compareTurnsCommand } from "./compare_turns.ts";
export { executeRun } from "./execute_run.ts";
export { runCommand } from "./run.ts";
export { RUN_FLAGS } from "./run_flags.ts";
