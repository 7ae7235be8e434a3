export type { ModuleMeta } from "./is_program.ts";
export { runAsProgram } from "./run_as_program.ts";
