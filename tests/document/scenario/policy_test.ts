import assert from "node:assert/strict";
import { test } from "node:test";
import { isPolicy, parsePolicies } from "../../../src/document/scenario/mod.ts";

const named = (...rules: readonly object[]) => ({ name: "p", rules });
const NODE = [{ node: "greet" }];
const PAID = [{ tool: "pay", outcome: "succeeded" }];

test("parsePolicies() reads every rule, with nodes, tools and ends as points", () => {
  const rules = [
    { verb: "before", first: NODE, second: PAID },
    { verb: "after", first: PAID, second: [{ end: "agent_ended" }] },
    { verb: "leads_to", first: NODE, second: [{ tool: "pay" }, { node: "desk" }] },
    { verb: "at_most_once", points: PAID },
    { verb: "way_to", points: NODE },
    { verb: "never", points: NODE },
    { verb: "known", variables: ["city"] },
  ];
  assert.deepEqual(parsePolicies([named(...rules)]), [named(...rules)]);
  assert.deepEqual(parsePolicies(named(...rules)), [named(...rules)]);
  const tool = { tool: "pay", outcome: undefined };
  assert.deepEqual(parsePolicies(named({ verb: "way_to", points: [tool] }))[0]?.rules, [
    { verb: "way_to", points: [{ tool: "pay" }] },
  ]);
});

test("parsePolicies() reads a condition as that of a transition", () => {
  const equations = [
    { left: "paid", operator: "exists", right: null },
    { left: "owed", operator: ">", right: 0 },
    { left: "open", operator: "==", right: false },
  ];
  const read = (condition: object) => {
    const [rule] = parsePolicies(named({ verb: "never", points: NODE, while: condition }))[0]?.rules ?? [];
    return rule?.verb === "never" ? rule.while : undefined;
  };
  const clauses = [{ left: "paid", operator: "exists" }, ...equations.slice(1)];
  assert.deepEqual(read({ equations }), { type: "equation", value: "", equations: clauses });
  assert.deepEqual(read({ type: "equation", equations, logical_operator: "or" }), {
    ...{ type: "equation", value: "", equations: clauses },
    logical_operator: "or",
  });
});

test("parsePolicies() reads what policy() returns, and keeps no other keys of a policy", () => {
  const rule = { verb: "way_to", points: NODE };
  const made = { toJSON: () => ({ ...named(rule), note: "why" }) };
  assert.deepEqual(parsePolicies([made]), [named(rule)]);
  for (const value of [made, named(rule), { name: "p", rules: [] }]) assert.ok(isPolicy(value));
  for (const value of [{}, { name: "p" }, { name: 1, rules: [] }, { rules: [rule] }, [], "p", null])
    assert.ok(!isPolicy(value), JSON.stringify(value));
});

test("parsePolicies() refuses everything else, with the place and the policy's name", () => {
  const way = { verb: "way_to", points: NODE };
  const wrong: readonly (readonly [value: unknown, path: readonly (string | number)[], words: RegExp])[] = [
    ["greet first", [0], /it is "greet first"/],
    [[named(way), null], [1], /it is null/],
    [{ rules: [way] }, [0, "name"], /policy number 0, name: /],
    [{ name: "", rules: [way] }, [0, "name"], /policy "", name: /],
    [named(), [0, "rules"], /policy "p", rules: /],
    [named({ verb: "sometimes", points: NODE }), [0, "rules", 0, "verb"], /policy "p", rules.0.verb: /],
    [named({ ...way, points: [] }), [0, "rules", 0, "points"], /rules.0.points: /],
    [named(way, { ...way, points: ["greet"] }), [0, "rules", 1, "points", 0], /rules.1.points.0: /],
    [
      named({ ...way, points: [{ end: "bored" }] }),
      [0, "rules", 0, "points", 0],
      /or { end } with one of agent_ended, /,
    ],
    [
      named({ ...way, points: [{ tool: "pay", outcome: "late" }] }),
      [0, "rules", 0, "points", 0],
      /succeeded or failed/,
    ],
    [named({ verb: "known", variables: [] }), [0, "rules", 0, "variables"], /variables: /],
    [named({ verb: "never", points: NODE, while: { equations: [] } }), [0, "rules", 0, "while", "equations"], /while/],
    [[named(way), named(way)], [1, "name"], /policy "p" exists twice/],
  ];
  for (const [value, path, message] of wrong)
    assert.throws(() => parsePolicies(value), { code: "invalid-policy", path, message }, JSON.stringify(value));
});
