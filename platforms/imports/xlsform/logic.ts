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
} from "../shared/mod.ts";

/** What an expression refers to. */
export interface Scope {
  /** Question that the expression belongs to, written as `.`. */
  readonly self: string;
  /** Questions with several answers in one text. */
  readonly lists: ReadonlySet<string>;
  /** The variable of a question. */
  readonly variable: (question: string) => string;
}

const OPPOSITE_SIDES: { readonly [operator: string]: string } = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };

/** Reads an XPath expression of a form. */
export const logicOf = (expression: string, scope: Scope): Logic =>
  readExpression(
    expression,
    (comparison) => clauseOf(comparison, scope),
    (text) => inWords(text, scope),
  );

function clauseOf({ left, operator, right }: Comparison, scope: Scope): Logic | undefined {
  if (operator === undefined || right === undefined) return singleOf(left, scope);
  const name = variableIn(left, scope);
  if (name === undefined) {
    const other = variableIn(right, scope);
    const turned = OPPOSITE_SIDES[operator] ?? operator;
    return other === undefined ? undefined : compare(other, turned, left, scope);
  }
  return compare(name, operator, right, scope);
}

function compare(name: string, operator: string, right: string, scope: Scope): Logic | undefined {
  const value = valueIn(right, scope);
  if (value === undefined || (scope.lists.has(name) && operator !== "!=" && operator !== "=")) return undefined;
  return value === "" ? comparedToNothing(name, operator) : comparedAs(name, operator, value);
}

/** `selected(${crops}, 'maize')`, `true()`, `false()` and `not(…)`, whose brackets are read as usual ones. */
function singleOf(operand: string, scope: Scope): Logic | undefined {
  if (/^true \( \)$/.test(operand)) return ALWAYS;
  if (/^false \( \)$/.test(operand)) return NEVER;
  if (/^\d+(?:\.\d+)?$/.test(operand)) return Number(operand) === 0 ? NEVER : ALWAYS;
  const [, left = "", right = ""] = /^selected \( (\S+) , ("[^"]*"|'[^']*') \)$/.exec(operand) ?? [];
  const name = variableIn(left, scope);
  const value = unquoted(right);
  if (name === undefined || value === undefined) return undefined;
  return compared(name, scope.lists.has(name) ? "contains" : "==", value);
}

function variableIn(operand: string, { self, variable }: Scope): string | undefined {
  if (operand === ".") return self;
  const [, name] = /^\$\{\s*([^{}\s]+)\s*\}$/.exec(operand) ?? [];
  return name === undefined ? undefined : variable(name);
}

function valueIn(operand: string, scope: Scope): string | number | undefined {
  const text = unquoted(operand);
  if (text !== undefined) return text;
  if (/^-? ?\d+(?:\.\d+)?$/.test(operand)) return Number(operand.replace(" ", ""));
  if (/^true \( \)$/.test(operand)) return "true";
  if (/^false \( \)$/.test(operand)) return "false";
  const name = variableIn(operand, scope);
  return name === undefined ? undefined : `{{${name}}}`;
}

/** Replaces `${name}` by a placeholder. */
export const filledIn = (text: string, variable: Scope["variable"]): string =>
  text.replaceAll(/\$\{\s*([^{}\s]+)\s*\}/g, (_, name: string) => `{{${variable(name)}}}`);

/** An expression as a condition for a model. */
function inWords(text: string, { self, variable }: Scope): string {
  const named = filledIn(text, variable).replaceAll(/(?<![\w.)'"])\.(?![\w.])/g, `{{${self}}}`);
  return `this is true: ${named}`;
}
