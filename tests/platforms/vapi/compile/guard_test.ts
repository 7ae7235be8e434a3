import assert from "node:assert/strict";
import { test } from "node:test";
import { emitSquad } from "../../../../platforms/vapi/compile/mod.ts";
import type { JsonObject } from "../../../../src/base/values/mod.ts";
import { evaluateEquation } from "../../../../src/document/expressions/mod.ts";
import type { EquationClause } from "../../../../src/document/graph/mod.ts";
import { fc } from "../../../properties.ts";
import { always, graphOf, handoffTo, json, memberOf } from "./graphs.ts";
import { isVetoed } from "./liquid.ts";

const NAMES = ["tier", "age", "city", "note", "limit", "order_number"];
const awkward = fc.constantFrom(
  ...'old|Bern|New York|it\'s|say "hi"|100%|{{tier}}|{% x %}|%}|}}|a\\b|back\\|tab\there|line\nbreak|ü|😀|nil|true|false'.split(
    "|",
  ),
  ...["", " ", "blank", "empty", "and", "null", "contains", "now", "customer", "time"],
);
const digits = (most: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${most}}$`));
const numeric = fc.oneof(
  fc.integer({ min: -50, max: 50 }).map(String),
  digits(30),
  fc.tuple(fc.constantFrom("", "-", "+"), digits(4), digits(3)).map(([sign, whole, part]) => `${sign}${whole}.${part}`),
  fc.constantFrom(
    "1e3",
    "-2.5E+2",
    " 7 ",
    "+5",
    "0x10",
    "1,200",
    "$50",
    ".5",
    "5.",
    "1e",
    "e5",
    "--1",
    "+-1",
    "1e+-2",
    "1 2",
  ),
  fc.constantFrom("0|0", "5|5.5", "Infinity", "-Infinity", "NaN", "٣", "1_000", "0b1", "08", "007"),
);
const text = fc.oneof(numeric, awkward, fc.constantFrom(...NAMES), fc.string({ maxLength: 6 }));
const filled = fc.constantFrom(
  ...NAMES.map((name) => `{{${name}}}`),
  ...["no-{{tier}}", "{{ age }}{{city}}", "{{unset}}", "1{{limit}}.5", "{{tier}}|{{not a name}}", "{{now}}x"],
);
const value = fc.oneof(text, fc.integer({ min: -20, max: 20 }), fc.boolean());
const operator = fc.constantFrom(
  "==",
  "!=",
  ">",
  ">=",
  "<",
  "<=",
  "contains",
  "not_contains",
  "exists",
  "not_exist",
  "~=",
);
const right = fc.oneof(value, filled);
const clause: fc.Arbitrary<EquationClause> = fc.record({ left: fc.constantFrom(...NAMES), operator, right });
const variables = fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 5, noNullPrototype: true });

/** Emits a node with one equation; returns the tool of its transition. */
function toolOf(equations: readonly EquationClause[], logical_operator?: "and" | "or") {
  const condition = { type: "equation", value: "", equations, ...(logical_operator ? { logical_operator } : {}) };
  const graph = graphOf({ start: { transitions: [{ target_node_id: "goal", condition }] }, goal: {} });
  return handoffTo(memberOf(json(emitSquad(graph).config), "start"), "goal");
}

test("the guard of a transition rejects exactly when its equation does not hold", () => {
  fc.assert(
    fc.property(clause, fc.array(variables, { minLength: 3, maxLength: 3 }), (equation, calls) => {
      const tool = toolOf([equation]);
      for (const call of calls) assert.equal(isVetoed(tool, call), !evaluateEquation(equation, call));
    }),
    { numRuns: 700 },
  );
});

test("the guard of several equations rejects exactly when their combination does not hold", () => {
  const several = fc.array(clause, { minLength: 0, maxLength: 4 });
  fc.assert(
    fc.property(several, fc.constantFrom("and" as const, "or" as const), variables, (equations, joint, call) => {
      const holds = equations.map((each) => evaluateEquation(each, call));
      const expected = equations.length > 0 && (joint === "or" ? holds.includes(true) : !holds.includes(false));
      assert.equal(isVetoed(toolOf(equations, joint), call), !expected);
    }),
    { numRuns: 400 },
  );
});

test("only the first transition with a true equation is open, and `else` only if none is true", () => {
  const ways = fc.array(clause, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(ways, variables, fc.boolean(), (clauses, call, silent) => {
      const targets = clauses.map((_, index) => `way_${index}`);
      const transitions = [
        ...clauses.map((equation, index) => ({
          target_node_id: `way_${index}`,
          condition: { type: "equation", value: "", equations: [equation] },
        })),
        always("otherwise", silent ? undefined : "else"),
      ];
      const fork = { node_type: silent ? "logic" : "conversation", transitions };
      const nodes: { readonly [id: string]: JsonObject } = silent
        ? { start: { transitions: [always("fork", "else")] }, fork }
        : { start: fork };
      const rest = Object.fromEntries([...targets, "otherwise"].map((id) => [id, {}]));
      const member = memberOf(json(emitSquad(graphOf({ ...nodes, ...rest })).config), "start");
      const open = [...targets, "otherwise"].filter((id) => !isVetoed(handoffTo(member, id), call));
      const first = clauses.findIndex((equation) => evaluateEquation(equation, call));
      assert.deepEqual(open, [first < 0 ? "otherwise" : `way_${first}`]);
    }),
    { numRuns: 400 },
  );
});

for (const missing of [undefined, null])
  test(`the guard of an equation whose right side is ${missing} compares with an empty text`, () => {
    for (const operator of ["==", "!=", "contains", ">"]) {
      const equation: EquationClause = { left: "tier", operator, ...(missing === null ? { right: missing } : {}) };
      for (const call of [{}, { tier: "" }, { tier: "gold" }, { tier: "undefined" }, { tier: "null" }])
        assert.equal(
          isVetoed(toolOf([equation]), call),
          !evaluateEquation(equation, call),
          JSON.stringify([operator, call]),
        );
    }
  });
