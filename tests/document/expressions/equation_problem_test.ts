import assert from "node:assert/strict";
import { test } from "node:test";
import { equationProblem } from "../../../src/document/expressions/mod.ts";
import type { EquationClause, VariableExtraction } from "../../../src/document/graph/mod.ts";

const variable = (name: string, type: string, choices?: readonly string[]) =>
  [name, { name, description: "", type, ...(choices ? { choices } : {}) } as VariableExtraction] as const; // as in a document
const VARIABLES = new Map([
  variable("age", "number"),
  variable("note", "string"),
  variable("vip", "boolean"),
  variable("plan", "enum", ["gold", "silver", "note"]),
  variable("open", "enum", []),
]);

/** Returns the code of an equation's problem with its state; `undefined` for a good equation. */
function problem(left: string, operator: string, right?: EquationClause["right"]) {
  const found = equationProblem({ left, operator, ...(right === undefined ? {} : { right }) }, VARIABLES);
  return found && `${found.code}: ${found.message.replace(/^equation "[^"]*(?:"[^"]*"[^"]*)?" /, "")}`;
}

test("equations that can match have no problem", () => {
  const good: readonly (readonly [left: string, operator: string, right?: EquationClause["right"]])[] = [
    ["age", "==", 5],
    ["age", "!=", "5.5"],
    ["{{ age }}", ">=", "18"],
    ["age", "contains", "1"],
    ["note", "==", "anything"],
    ["note", "<", "5"],
    ["vip", "==", true],
    ["vip", "!=", false],
    ["vip", "==", "true"],
    ["vip", "==", "false"],
    ["plan", "==", "gold"],
    ["plan", "contains", "go"],
    ["open", "==", "whatever"],
    ["unknown", "==", "whatever"],
    ["unknown", ">", 3],
    ["note", "exists"],
    ["note", "not_exist", null],
    // another variable, whose value can be anything
    ["age", ">", "{{note}}"],
    ["age", "<", "{{ note }}"],
    ["age", "==", "{{elsewhere}}"],
    ["age", "==", "1{{elsewhere}}"],
    ["plan", "==", "{{age}}"],
    // a choice that is called like a variable
    ["plan", "==", "note"],
  ];
  for (const [left, operator, right] of good)
    assert.equal(problem(left, operator, right), undefined, `${left} ${operator} ${right}`);
});

test("equations that can never match say why", () => {
  const bad: readonly (readonly [left: string, operator: string, right: EquationClause["right"], problem: string])[] = [
    ["age", "=", 5, "equation-mismatch: has an unknown operator"],
    ["age", "==", undefined, "equation-mismatch: has no right side"],
    ["age", ">", null, "equation-mismatch: has no right side"],
    ["age", ">", "five", "equation-mismatch: compares with a value that is not a number"],
    ["note", "<", "1,200", "equation-mismatch: compares with a value that is not a number"],
    ["unknown", "<=", true, "equation-mismatch: compares with a value that is not a number"],
    ["age", "==", "five", "equation-mismatch: compares a number with a text"],
    ["age", "!=", true, "equation-mismatch: compares a number with a text"],
    ["vip", ">", 1, "equation-mismatch: compares the order of a variable that is not a number"],
    ["plan", "<", "gold", "equation-mismatch: compares the order of a variable that is not a number"],
    ["vip", "==", "yes", "equation-mismatch: compares a boolean with something else"],
    ["vip", "!=", 1, "equation-mismatch: compares a boolean with something else"],
    ["plan", "==", "bronze", 'unknown-choice: compares with a value that is not a choice of "plan"'],
    ["plan", "!=", 5, 'unknown-choice: compares with a value that is not a choice of "plan"'],
    ["plan", "==", "age", 'unknown-choice: compares with a value that is not a choice of "plan"'],
    ["age", ">", "note", "equation-mismatch: compares with a value that is not a number"],
  ];
  for (const [left, operator, right, expected] of bad)
    assert.equal(problem(left, operator, right), expected, `${left} ${operator} ${String(right)}`);
});

test("hints name the operator or the choice that was meant, or all that there are", () => {
  const hint = (left: string, operator: string, right: string) =>
    equationProblem({ left, operator, right }, VARIABLES)?.hint;
  assert.equal(hint("note", "contain", "a"), 'Did you mean "contains"?');
  assert.match(hint("note", "~", "a") ?? "", /^Use one of == != contains not_contains > >= < <= exists not_exist$/);
  assert.equal(hint("plan", "==", "golds"), 'Did you mean "gold"?');
  assert.equal(hint("plan", "==", "bronze-and-more"), 'Use one of "gold", "silver", "note"');
  assert.equal(hint("age", ">", "note"), 'Write "{{note}}" on the right to compare with the variable');
  assert.equal(hint("vip", "==", "age"), 'Write "{{age}}" on the right to compare with the variable');
  assert.equal(hint("vip", ">", "1"), 'Use == or !=, or make "vip" a number');
});
