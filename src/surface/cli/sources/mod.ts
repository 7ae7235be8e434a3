export { checkFolder, folderName } from "./folder_name.ts";
export { POLICY_FLAGS } from "./policy_flags.ts";
export { refuseOverwriting, type UsedFile } from "./refuse_overwriting.ts";
export { selectScenarios } from "./select_scenarios.ts";
