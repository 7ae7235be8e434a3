export { loadPolicies } from "./load_policies.ts";
export { exportedScenarios, loadScenarios } from "./load_scenarios.ts";
export { isModulePath, loadModule } from "./module.ts";
export { type AgentSource, loadSource, type SourceOptions } from "./source.ts";
