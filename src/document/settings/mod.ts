export { choiceOf, isOfKind, KIND, type NumberKind, needsOf, type ValueKind } from "./kind.ts";
export { AUDIO_DIRECTIONS, AUDIT_MODES, BUDGETS, RECORDING_MODES, TURN_MODES, UNMATCHED_TOOLS } from "./modes.ts";
export {
  parseRunSettings,
  RUN_SETTINGS_SCHEMA,
  type RunSettings,
  type SettingKey,
  type SettingsDocument,
} from "./run_document.ts";
export {
  AUDIO_SETTINGS,
  CALL_SETTINGS,
  RECORDING_SETTINGS,
  REPLAY_SETTINGS,
  RESULT_SETTINGS,
  RUN_SETTINGS,
  SHARING_SETTINGS,
} from "./run_settings.ts";
export { ruleOf, type Setting, type Settings, settingKey, valueKindOf } from "./setting.ts";
export { settingsSchema, TEXTS } from "./settings_schema.ts";
