import { type OptionRule, rule } from "../../base/values/mod.ts";
import { isOfKind, KIND, needsOf, type ValueKind } from "./kind.ts";

/** A setting of a command: help, flags, the configuration's schema and the checks of options are made of it. */
export interface Setting {
  readonly description: string;
  /** How help shows the value: `N`, `FILE`. Absent: it is a switch. */
  readonly value?: string;
  /** Default: a text, for a setting with a value. */
  readonly kind?: ValueKind;
  /** Whether it can have several values. */
  readonly repeats?: boolean;
  /** For a setting with the name of a top-level key of the configuration, which does not set it. */
  readonly isOwn?: true;
}

/** The settings of a command, by the name of the flag. */
export interface Settings {
  readonly [name: string]: Setting;
}

/** The type that a setting's value must have. */
export function valueKindOf({ kind, value }: Setting): ValueKind {
  return kind ?? (value === undefined ? KIND.switch : KIND.text);
}

/** The key of a command or a setting in a document: `compare_turns`, `snippets_list`, `max_turns`. */
export function settingKey(name: string): string {
  return name.replaceAll(/[- ]/g, "_");
}

/**
 * The rule of an option that has the values of a setting.
 *
 * @param unlimited Whether `Infinity` is allowed, which means no limit.
 */
export function ruleOf(setting: Setting, { unlimited = false }: { readonly unlimited?: boolean } = {}): OptionRule {
  const kind = valueKindOf(setting);
  const isUnlimited = (value: unknown) => unlimited && value === Number.POSITIVE_INFINITY;
  return rule(needsOf(kind), (value) => isOfKind(value, kind) || isUnlimited(value));
}
