export { configDefaults, configurableCommands } from "./defaults.ts";
export { type CallweaveConfig, type ConfiguredFlags, defineConfig, type EnvironmentConfig } from "./define_config.ts";
export { DEPLOY_FORMATS } from "./deploy_formats.ts";
export type { ConfiguredEnvironment } from "./environment_schema.ts";
export { findConfig } from "./find_config.ts";
export { loadProject } from "./project.ts";
