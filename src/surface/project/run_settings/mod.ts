export { chooseModels, type ModelFlags } from "./choose_models.ts";
export { type RunSurroundings, runOptionsFrom } from "./run_options.ts";
export type { SettingName, Wording } from "./wording.ts";
