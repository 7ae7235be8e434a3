export { configSchema, PROJECT_KEYS } from "./config_schema.ts";
export {
  type CallweaveConfig,
  type ConfiguredFlags,
  defineConfig,
  type EnvironmentConfig,
  type SectionKey,
} from "./define_config.ts";
export type { ConfiguredEnvironment } from "./environment_schema.ts";
export { loadConfig } from "./load_config.ts";
export { environmentNamed, findConfig, type Project, readProject } from "./read_project.ts";
