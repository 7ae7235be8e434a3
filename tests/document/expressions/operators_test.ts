import assert from "node:assert/strict";
import { test } from "node:test";
import {
  compareDecimals,
  compareValues,
  equationHolds,
  evaluateClauses,
  evaluateEquation,
  isDecimal,
} from "../../../src/document/expressions/mod.ts";

const OPERATORS = ["==", "!=", "contains", "not_contains", ">", ">=", "<", "<=", "exists", "not_exist"];

/** Returns the operators that are true between two values. */
const trueFor = (left: string | undefined, right: string) =>
  OPERATORS.filter((operator) => compareValues(operator, left, right));

test("an operator is true or false for two values as users read it", () => {
  const cases: readonly (readonly [left: string | undefined, right: string, operators: readonly string[]])[] = [
    ["5", "5", ["==", "contains", ">=", "<=", "exists"]],
    ["5", "5.0", ["!=", "not_contains", ">=", "<=", "exists"]],
    ["7", "5", ["!=", "not_contains", ">", ">=", "exists"]],
    ["-7", "5", ["!=", "not_contains", "<", "<=", "exists"]],
    ["10", "9", ["!=", "not_contains", ">", ">=", "exists"]],
    ["Oslo", "Os", ["!=", "contains", "exists"]],
    ["Oslo", "oslo", ["!=", "not_contains", "exists"]],
    ["", "", ["==", "contains", "exists"]],
    ["Oslo", "", ["!=", "contains", "exists"]],
    ["five", "5", ["!=", "not_contains", "exists"]],
    [undefined, "5", ["not_exist"]],
    [undefined, "", ["not_exist"]],
  ];
  for (const [left, right, operators] of cases) assert.deepEqual(trueFor(left, right), operators, `${left}, ${right}`);
  assert.equal(compareValues("~", "5", "5"), false);
});

test("evaluateEquation() fills placeholders of the right side, and takes a variable's plain name as a literal", () => {
  const variables = { balance: "-3", limit: 0, plan: "gold", vip: true, list: ["a"], letter: "a" };
  const cases: readonly (readonly [left: string, operator: string, right: unknown, holds: boolean])[] = [
    ["balance", "<", "limit", false],
    ["balance", "<", "{{ limit }}", true],
    ["balance", "<", "-3", false],
    ["plan", "==", "plan", false],
    ["plan", "==", "{{plan}}", true],
    ["plan", "!=", "plan", true],
    ["plan", "contains", "{{unknown}}", false],
    ["plan", "==", " {{plan}}", false],
    ["list", "==", '["{{letter}}"]', true],
    ["letter", "contains", "{{constructor}}", false],
    ["plan", "==", "silver", false],
    ["vip", "==", true, true],
    ["vip", "==", "true", true],
    ["limit", "==", 0, true],
    ["list", "contains", "a", true],
    ["plan", "==", undefined, false],
    ["unknown", "!=", "gold", false],
    ["constructor", "exists", undefined, false],
  ];
  for (const [left, operator, right, holds] of cases) {
    const clause = JSON.parse(JSON.stringify({ left, operator, right }));
    assert.equal(evaluateEquation(clause, variables), holds, `${left} ${operator} ${String(right)}`);
  }
});

test("evaluateEquation() refuses what is no equation", () => {
  const wrong: readonly unknown[] = [
    null,
    "a == b",
    {},
    { left: "a" },
    { operator: "==" },
    { left: 1, operator: "==" },
  ];
  for (const clause of [...wrong, { left: "a", operator: 1 }])
    assert.throws(() => evaluateEquation(JSON.parse(JSON.stringify(clause)), {}), { code: "invalid-option" });
  const clause = { left: "a", operator: "exists" } as const;
  assert.throws(() => evaluateEquation(clause, JSON.parse("null")), { code: "invalid-option" });
});

test("equations joined by and must all be true, joined by or one of them; the first that decides is the last evaluated", () => {
  const is = (right: string) => ({ left: "plan", operator: "==", right });
  const condition = (join: "and" | "or", ...equations: ReturnType<typeof is>[]) =>
    ({ type: "equation", value: "", equations, logical_operator: join }) as const;
  const of = (join: "and" | "or", ...rights: readonly string[]) =>
    evaluateClauses(condition(join, ...rights.map(is)), { plan: "gold" });
  assert.deepEqual(of("and", "gold", "gold"), { holds: true, clauses: [true, true] });
  assert.deepEqual(of("and", "gold", "silver", "gold"), { holds: false, clauses: [true, false] });
  assert.deepEqual(of("or", "silver", "gold", "silver"), { holds: true, clauses: [false, true] });
  assert.deepEqual(of("or", "silver", "silver"), { holds: false, clauses: [false, false] });
  assert.deepEqual(of("or"), { holds: false, clauses: [] });
  const without = { type: "equation", value: "", equations: [is("gold"), is("silver")] } as const;
  assert.equal(equationHolds(without, { plan: "gold" }), false);
});

test("decimal numbers are compared by value: signs, zeros, fractions and exponents", () => {
  const equal = [
    ["0", "-0.0"],
    ["007", "7"],
    ["1.50", "1.5"],
    ["1e3", "1000"],
    ["+2", "2.0"],
    [" 5 ", "5"],
  ] as const;
  for (const [a, b] of equal) assert.equal(compareDecimals(a, b), 0, `${a} = ${b}`);
  const ascending = ["-1e9", "-12", "-11.9", "-0.5", "0", "0.02", "0.1", "0.11", "1", "9.99", "10", "1e2", "1234567"];
  for (const [index, low] of ascending.entries())
    for (const high of ascending.slice(index + 1)) {
      assert.ok((compareDecimals(low, high) ?? 0) < 0, `${low} < ${high}`);
      assert.ok((compareDecimals(high, low) ?? 0) > 0, `${high} > ${low}`);
    }
  for (const text of ["", " ", "five", "1,200", "0x10", "1.", ".5", "1e", "Infinity"])
    assert.ok(!isDecimal(text), text);
  for (const text of ["5", "-5", "+5.25", "5e-3", " 5\n"]) assert.ok(isDecimal(text), text);
});
