import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ANY_VALUE,
  type Formula,
  type Outcome,
  satisfy,
  type ValueFact,
  type ValueFacts,
} from "../../../../src/agent/analysis/equations/mod.ts";
import { clauseVariables, equationHolds } from "../../../../src/document/expressions/mod.ts";
import { sampled } from "../../../fast_check.ts";
import { fc } from "../../../properties.ts";

const OPERATORS = ["==", "!=", ">", ">=", "<", "<=", "contains", "not_contains", "exists", "not_exist", "=<"];
const ORDERS = ["==", "!=", ">", ">=", "<", "<="];
const TEXTS = ["", "5", "5.0", " 7", "-2", "1,200", "1e1", "a", "ab", "b5", "true", ".", "x", "{y}"];

/** Values that the comparisons with {@link TEXTS} can tell apart: each of them, and values around and between them. */
const DOMAIN: readonly (string | undefined)[] = [
  undefined,
  ...TEXTS,
  ...["-3", "0", "5.5", "7", "8", "11", "05", "51e-1", "a b5", "other", "5a"],
];
const NUMBERS = ["-3", "-2", "0", "5", "5.2", "5.5", "7", "8", "10", "11"];

const FACTS: readonly ValueFact[] = [
  { kind: "text", mayBeUnset: true },
  { kind: "text", mayBeUnset: false },
  { kind: "number", mayBeUnset: true },
  { kind: "number", mayBeUnset: false },
  { kind: "text", values: ["true", "false"], mayBeUnset: true },
  { kind: "text", values: ["a", "ab", "5", "1,200"], mayBeUnset: false },
  { kind: "text", values: [], mayBeUnset: true },
];

function formulas(names: readonly string[], rights: readonly string[], operators: readonly string[]) {
  const clause = fc.record({
    left: fc.constantFrom(...names, ...names.map((name) => `{{ ${name} }}`)),
    operator: fc.constantFrom(...operators),
    right: fc.constantFrom<string | number | boolean>(...rights, 5, true, 5.5),
  });
  const literal = fc.record({ clause, holds: fc.boolean() });
  const group = fc.oneof(
    { weight: 3, arbitrary: fc.array(literal, { minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(literal, { maxLength: 3 }) },
  );
  const facts = fc.array(fc.constantFrom(...FACTS), { minLength: names.length, maxLength: names.length });
  return fc.tuple(fc.array(group, { maxLength: 4 }), facts).map(([formula, kinds]) => {
    const known = names.map((name, index) => [name, kinds[index] ?? ANY_VALUE] as const);
    return { formula, facts: new Map(known) };
  });
}

function holds(formula: Formula, variables: { readonly [name: string]: string }): boolean {
  return formula.every((group) =>
    group.some(({ clause, holds: wanted }) => {
      const condition = { type: "equation", value: "", equations: [clause] } as const;
      return equationHolds(condition, variables) === wanted;
    }),
  );
}

/** Whether a clause of a group may read a variable: its value decides nothing where no clause has its name. */
function isNamed(group: Formula[number], name: string): boolean {
  return group.some(({ clause: { left, right } }) => `${left} ${right}`.includes(name));
}

/** Whether any values of a finite domain make a formula true, evaluated by the engine. */
function byBruteForce(formula: Formula, facts: ValueFacts, all: readonly string[]): boolean {
  const names = all.filter((name) => formula.some((group) => isNamed(group, name)));
  // a group is decided as soon as the last variable that it names has a value
  const decided = [undefined, ...names].map((_, count) => {
    const isOpen = (group: Formula[number], from: number) => names.slice(from).some((name) => isNamed(group, name));
    return formula.filter((group) => !isOpen(group, count) && (count === 0 || isOpen(group, count - 1)));
  });
  const domainOf = (name: string): readonly (string | undefined)[] => {
    const fact = facts.get(name);
    const texts = fact?.values ?? (fact?.kind === "number" ? NUMBERS : DOMAIN);
    return fact && !fact.mayBeUnset ? texts.filter((text) => text !== undefined) : [...texts, undefined];
  };
  const search = (count: number, variables: { readonly [name: string]: string }): boolean => {
    if (!holds(decided[count] ?? [], variables)) return false;
    const name = names[count];
    if (name === undefined) return true;
    return domainOf(name).some((text) =>
      search(count + 1, text === undefined ? variables : { ...variables, [name]: text }),
    );
  };
  return search(0, {});
}

function assertAgrees(formula: Formula, facts: ValueFacts, names: readonly string[], outcome: Outcome): void {
  const shown = () =>
    JSON.stringify({ formula, facts: [...facts], outcome: outcome instanceof Map ? [...outcome] : outcome });
  if (typeof outcome === "string") {
    assert.equal(byBruteForce(formula, facts, names), false, `brute force finds values: ${shown()}`);
    return;
  }
  assert.ok(holds(formula, Object.fromEntries(outcome)), `the values found do not fit: ${shown()}`);
  for (const [name, { values, kind, mayBeUnset }] of facts) {
    const text = outcome.get(name);
    const read = formula.flat().flatMap(({ clause }) => clauseVariables(clause));
    const used = read.includes(name) || text !== undefined;
    if (text === undefined) assert.ok(mayBeUnset || !used, shown());
    else assert.ok(values ? values.includes(text) : kind === "text" || String(Number(text)) === text, shown());
  }
}

test("satisfy() agrees with the engine's evaluation of every value on 20,000 clause sets, and its values fit", () => {
  let [found, none] = [0, 0];
  fc.assert(
    fc.property(
      formulas(
        ["x", "w"],
        TEXTS.filter((text) => text !== "x"),
        OPERATORS,
      ),
      ({ formula, facts }) => {
        const outcome = satisfy(formula, facts);
        assert.notEqual(outcome, "unknown");
        assertAgrees(formula, facts, ["x", "w"], outcome);
        if (outcome === "none") none++;
        else found++;
      },
    ),
    { numRuns: 14_000 },
  );
  fc.assert(
    fc.property(
      formulas(["x", "y"], ["{{x}}", "y", "{{y}}", "{{ y }}", "5", "ab", "5.0"], ORDERS),
      ({ formula, facts }) => {
        const outcome = satisfy(formula, facts);
        assert.notEqual(outcome, "unknown");
        assertAgrees(formula, facts, ["x", "y"], outcome);
        if (outcome === "none") none++;
        else found++;
      },
    ),
    { numRuns: 6_000 },
  );
  assert.ok(Math.min(found, none) > sampled(3_000), `${found} with values, ${none} without`);
});

test("satisfy() calls values of variables that contain each other unknown rather than impossible", () => {
  fc.assert(
    fc.property(formulas(["x", "y"], ["{{x}}", "{{y}}", "a", "5"], OPERATORS), ({ formula, facts }) => {
      const outcome = satisfy(formula, facts);
      if (outcome !== "unknown") assertAgrees(formula, facts, ["x", "y"], outcome);
    }),
    { numRuns: 1_000 },
  );
});

test("satisfy() fills variables into longer right sides, and never calls values impossible that exist", () => {
  let found = 0;
  fc.assert(
    fc.property(
      formulas(["x", "y"], ["a{{y}}", "{{x}}{{y}}", "{{y}}5", "{{y}}{{w}}", "a", "ab", "5"], OPERATORS),
      ({ formula, facts }) => {
        const outcome = satisfy(formula, facts);
        if (outcome !== "unknown") assertAgrees(formula, facts, ["x", "y", "w"], outcome);
        if (outcome instanceof Map) found++;
      },
    ),
    { numRuns: 3_000 },
  );
  assert.ok(found > sampled(1_500), `${found} with values`);
  const number = [clause("x", "==", "no-{{y}}"), clause("x", "==", "no-7")];
  assert.deepEqual(
    satisfy(number, new Map()),
    new Map([
      ["y", "7"],
      ["x", "no-7"],
    ]),
  );
});

test("satisfy() takes a right side without placeholders as a literal, also where a variable has that name", () => {
  const enumerated: ValueFact = { kind: "text", values: ["refill", "other"], mayBeUnset: false };
  const facts = new Map([
    ["reason", enumerated],
    ["refill", { kind: "text", values: ["true", "false"], mayBeUnset: true } as const],
  ]);
  assert.deepEqual(satisfy([clause("reason", "==", "refill")], facts), new Map([["reason", "refill"]]));
  assert.equal(satisfy([clause("reason", "==", "{{refill}}"), clause("refill", "exists")], facts), "none");
  assert.equal(satisfy([clause("n", ">", "limit"), clause("limit", "==", "5")], new Map()), "none");
});

const clause = (left: string, operator: string, right?: string | number) => [
  { clause: { left, operator, ...(right === undefined ? {} : { right }) }, holds: true },
];

test("satisfy() finds numbers between bounds that contain demanded digits and no others", () => {
  const between = [clause("x", ">", 5), clause("x", "<", 6)];
  assert.deepEqual(satisfy(between, new Map()), new Map([["x", "5.5"]]));
  assert.deepEqual(satisfy([...between, clause("x", "contains", "77")], new Map()), new Map([["x", "5.77"]]));
  assert.equal(satisfy([...between, clause("x", "not_contains", "5")], new Map()), "none");
  const number: ValueFact = { kind: "number", mayBeUnset: true };
  assert.equal(satisfy([...between, clause("x", "not_contains", ".")], new Map([["x", number]])), "none");
  assert.equal(satisfy([clause("x", ">", "1,200")], new Map()), "none");
  assert.ok(satisfy([clause("x", ">", "1e400"), clause("x", "<", "1e402")], new Map()) instanceof Map);
  const long = [clause("x", ">", "12345678901234567890"), clause("x", "<", "12345678901234567891")];
  assert.deepEqual(satisfy(long, new Map()), new Map([["x", "12345678901234567890.5"]]));
});

test("satisfy() decides many conditions at once", () => {
  const formula = Array.from({ length: 60 }, (_, index) => [
    { clause: { left: "n", operator: "==", right: index }, holds: false },
    { clause: { left: `v${index}`, operator: "exists" }, holds: false },
  ]);
  assert.ok(satisfy([...formula, clause("n", ">=", 0), clause("n", "<", 60)], new Map()) instanceof Map);
  const covered = [
    clause("n", ">=", 0),
    clause("n", "<=", 0),
    ...formula.slice(0, 1).map(([first]) => (first ? [first] : [])),
  ];
  assert.equal(satisfy(covered, new Map([["n", { kind: "number", mayBeUnset: false }]])), "none");
});
