export {
  type CallweaveConfig,
  type ConfiguredFlags,
  defineConfig,
  type EnvironmentConfig,
} from "./config/mod.ts";
export type { ModuleMeta } from "./is_program.ts";
export { runAsProgram } from "./run_as_program.ts";
