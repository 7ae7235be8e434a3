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
export {
  chooseModels,
  type ModelFlags,
  type RunSurroundings,
  runOptionsFrom,
  type SettingName,
  type Wording,
} from "./run_settings.ts";
export {
  type AgentSource,
  type Environment,
  exportedScenarios,
  isModulePath,
  loadModule,
  loadPolicies,
  loadScenarios,
  loadSource,
  type ProjectReader,
  type SourceOptions,
} from "./sources.ts";
