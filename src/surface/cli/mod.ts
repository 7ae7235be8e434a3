export {
  type CallweaveConfig,
  type ConfiguredFlags,
  defineConfig,
  type EnvironmentConfig,
} from "../project/mod.ts";
export type { ModuleMeta } from "./is_program.ts";
export { runAsProgram } from "./run_as_program.ts";
