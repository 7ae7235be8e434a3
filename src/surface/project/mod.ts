export {
  type CallweaveConfig,
  type ConfiguredEnvironment,
  type ConfiguredFlags,
  configSchema,
  defineConfig,
  type EnvironmentConfig,
  environmentNamed,
  findConfig,
  loadConfig,
  PROJECT_KEYS,
  type Project,
  readProject,
  type SectionKey,
} from "./config/mod.ts";
export { askChild, changedFiles, codeVersion, readFiles } from "./follow/mod.ts";
export type { Environment, ProjectReader } from "./reader.ts";
export {
  chooseModels,
  type ModelFlags,
  type RunSurroundings,
  runOptionsFrom,
  type SettingName,
  type Wording,
} from "./run_settings/mod.ts";
export {
  type AgentSource,
  exportedScenarios,
  isModulePath,
  loadModule,
  loadPolicies,
  loadScenarios,
  loadSource,
  type SourceOptions,
} from "./sources/mod.ts";
