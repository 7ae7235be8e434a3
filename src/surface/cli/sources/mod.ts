export { checkFolder, folderName } from "./folder_name.ts";
export { loadPolicies, POLICY_FLAGS } from "./load_policies.ts";
export { exportedScenarios, loadScenarios } from "./load_scenarios.ts";
export { isModulePath, loadModule } from "./module.ts";
export { refuseOverwriting, type UsedFile } from "./refuse_overwriting.ts";
export { selectScenarios } from "./select_scenarios.ts";
export { loadSource, type Source } from "./source.ts";
