import {
  ALWAYS,
  type Comparison,
  compared,
  comparedAs,
  comparedToNothing,
  type Logic,
  NEVER,
  readExpression,
  unquoted,
  type Variables,
} from "../shared/mod.ts";

/** `$session.params.x`, `$page.params."a name"`, `$intent.params.x.original`. */
const PARAMETER = /\$(?:session|page|intent|flow)\.params\.("[^"]+"|[\p{L}\p{N}_-]+)((?:\.[\p{L}\p{N}_-]+)*)/gu;
const WHOLE = new RegExp(`^${PARAMETER.source}$`, "u");

/** Parts of a parameter that say the same as the parameter. */
const SAME = new Set(["", ".original", ".resolved"]);

/** A text with placeholders for its parameters. */
export function filledIn(text: string, variables: Variables): string {
  return text.replaceAll(PARAMETER, (_, name: string, rest: string) => `{{${variableOf(name, rest, variables)}}}`);
}

/** What a text refers to and no variable has: functions, parts of a value, what a generator wrote. */
export function unfilled(text: string): boolean {
  if (/\$(?:sys\.func|request|conversation|generator)\b/.test(text)) return true;
  return [...text.matchAll(PARAMETER)].some(([, , rest = ""]) => !SAME.has(rest));
}

function variableOf(name: string, rest: string, variables: Variables): string {
  const plain = unquoted(name) ?? name;
  return variables.name(SAME.has(rest) ? plain : `${plain}${rest}`);
}

/** Reads the condition of a route. It is decided once a form is filled, so that the status of its page is known. */
export const logicOf = (condition: string, variables: Variables): Logic =>
  readExpression(
    condition,
    (comparison) => clauseOf(comparison, variables),
    (text) => `this is true: ${filledIn(text, variables)}`,
  );

function clauseOf({ left, operator, right }: Comparison, variables: Variables): Logic | undefined {
  if (operator === undefined || right === undefined) {
    if (/^true$/i.test(left)) return ALWAYS;
    return /^false$/i.test(left) ? NEVER : undefined;
  }
  if (/^\$page\.params\.status$/i.test(left) && (operator === "=" || operator === "!=")) {
    const isFinal = (unquoted(right) ?? right).toUpperCase() === "FINAL";
    return isFinal === (operator === "=") ? ALWAYS : NEVER;
  }
  const [, name, rest = ""] = WHOLE.exec(left) ?? [];
  if (name === undefined || !SAME.has(rest)) return undefined;
  const variable = variableOf(name, rest, variables);
  if (/^null$/i.test(right)) return comparedToNothing(variable, operator);
  const value = valueIn(right, variables);
  if (value === undefined) return undefined;
  return operator === ":" ? compared(variable, "contains", value) : comparedAs(variable, operator, value);
}

function valueIn(operand: string, variables: Variables): string | number | undefined {
  const text = unquoted(operand);
  if (text !== undefined) return text;
  if (/^-? ?\d+(?:\.\d+)?$/.test(operand)) {
    const plain = operand.replace(" ", "");
    // a code such as 04 is a text
    return String(Number(plain)) === plain ? Number(plain) : plain;
  }
  const [, name, rest = ""] = WHOLE.exec(operand) ?? [];
  if (name !== undefined) return SAME.has(rest) ? `{{${variableOf(name, rest, variables)}}}` : undefined;
  return /^[\p{L}\p{N}_-]+$/u.test(operand) ? operand : undefined;
}
