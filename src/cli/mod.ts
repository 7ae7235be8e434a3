export { runAsProgram } from "./run_as_program.ts";
