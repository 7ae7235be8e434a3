import { UsageError } from "../../../base/errors.ts";
import { type RUN_SETTINGS, settingKey } from "../../../document/settings/mod.ts";

/** The name of a setting. */
export type SettingName = keyof typeof RUN_SETTINGS;

/** How messages about settings are worded, for who wrote them: on a command line, or in a document. */
export interface Wording {
  /** A setting, or a setting with a value: `--repeat 3`. */
  readonly written: (name: SettingName, value?: string) => string;
  /** An error: what is wrong, and how to mend it. */
  readonly problem: (state: string, hint: string) => UsageError;
}

/** The wording for a document: `"repeat": 3`. */
export const OF_DOCUMENT: Wording = {
  written: (name, value) => {
    const key = JSON.stringify(settingKey(name));
    return value === undefined ? key : `${key}: ${JSON.stringify(value)}`;
  },
  problem: (state, hint) =>
    new UsageError(`Cannot use the settings of a run: ${state}`, { code: "invalid-option", hint }),
};
