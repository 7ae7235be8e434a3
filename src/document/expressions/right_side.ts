import { type EquationClause, isUnary } from "../graph/mod.ts";
import { bareName } from "./bare_name.ts";
import { placeholderContents, replacePlaceholders } from "./placeholders.ts";
import { textOf } from "./text_of.ts";

/** The right side of an equation: text in which `{{name}}` is filled as in a prompt. */
export interface FilledSide {
  /** The text as written, which placeholders of unset variables stay in. */
  readonly text: string;
  /** The variables of its placeholders, each once. Empty for a literal, also where a variable has that name. */
  readonly names: readonly string[];
  /** The variable whose value it is: `plan` for `{{plan}}`, absent for `{{plan}}-2`. */
  readonly variable?: string;
}

/** Reads the right side of an equation. */
export function rightOf({ operator, right }: EquationClause): FilledSide {
  const text = textOf(right) ?? "";
  if (isUnary(operator) || !text.includes("{{")) return { text, names: [] };
  const names = [...new Set(placeholderContents(text))];
  const [only] = names;
  const isAlone = /^\{\{[^{}]*\}\}$/.test(text);
  return { text, names, ...(isAlone && only !== undefined ? { variable: only } : {}) };
}

/** The variables that an equation reads: its left side, then those in its right side. */
export function clauseVariables(clause: EquationClause): readonly string[] {
  return [...new Set([bareName(clause.left), ...rightOf(clause).names])];
}

/** Splits a right side at its placeholders: text, and the variable whose placeholder it is. At least one part. */
export function rightParts(text: string): readonly (readonly [text: string, name?: string])[] {
  const parts = text.split(/(\{\{[^{}]*\}\})/).map((part, index): readonly [string, string?] => {
    return index % 2 === 1 ? [part, part.slice(2, -2).trim()] : [part];
  });
  return parts.length === 1 ? parts : parts.filter(([part]) => part !== "");
}

/**
 * Fills the placeholders of a right side.
 *
 * @param filledBy Returns the value of a variable; `undefined` when it is not set, so that its placeholder stays.
 */
export function fillRight(text: string, filledBy: (name: string) => string | undefined): string {
  return text.includes("{{") ? replacePlaceholders(text, filledBy) : text;
}
