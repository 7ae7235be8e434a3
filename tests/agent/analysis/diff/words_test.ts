import assert from "node:assert/strict";
import { test } from "node:test";
import { diffGraphs } from "../../../../src/agent/analysis/diff/mod.ts";
import { equationHolds } from "../../../../src/document/expressions/mod.ts";
import { type EquationClause, parseGraph, type TransitionCondition } from "../../../../src/document/graph/mod.ts";
import { seeded } from "../../../platforms/mutate.ts";
import { fc } from "../../../properties.ts";
import { shopWith } from "./_graphs.ts";

/** Kinds, risks and sentences of a change of one transition's condition. */
function ofCondition(before: object, after: object) {
  const graph = (condition: object) =>
    parseGraph({
      entry_node_id: "a",
      nodes: { a: { transitions: [{ target_node_id: "b", condition }] }, b: { node_type: "end" } },
    });
  return diffGraphs(graph(before), graph(after)).map(({ kind, risk, message }) => [kind, risk, message]);
}

const clause = (left: string, operator: string, right?: unknown) => ({ left, operator, right });
const equation = (operator: "and" | "or", ...equations: readonly object[]) => ({
  type: "equation",
  equations,
  logical_operator: operator,
});

test("diffGraphs() says in words when a transition is also taken now, or no longer", () => {
  const topic = clause("topic", "==", "repair");
  const debt = clause("balance", "<", 0);
  const edge = 'Transition "a" → "b"';
  for (const [before, after, kind, message] of [
    [equation("or", topic), equation("or", topic, debt), "equation-wider", "is now also taken when `balance < 0`"],
    [equation("or", topic, debt), equation("or", topic), "equation-narrower", "is no longer taken when `balance < 0`"],
    [equation("and", topic), equation("and", topic, debt), "equation-narrower", "now also needs `balance < 0`"],
    [equation("and", topic, debt), equation("and", topic), "equation-wider", "no longer needs `balance < 0`"],
    [
      equation("and", debt),
      equation("and", clause("balance", "<", 10)),
      "equation-wider",
      "needs `balance < 10` instead of `balance < 0`",
    ],
    [
      equation("and", debt),
      equation("and", clause("balance", "<=", -5)),
      "equation-narrower",
      "needs `balance <= -5` instead of `balance < 0`",
    ],
    [
      equation("and", topic),
      equation("and", clause("topic", "==", "rental")),
      "equation-changed",
      'needs `topic == "rental"` instead of `topic == "repair"`',
    ],
    [
      equation("and", topic, debt),
      equation("or", topic, debt),
      "equation-wider",
      'is taken when `topic == "repair"` or `balance < 0` instead of when `topic == "repair"` and `balance < 0`',
    ],
  ] as const)
    assert.deepEqual(ofCondition(before, after), [[kind, "high", `${edge} ${message}`]]);
});

test("diffGraphs() calls an equation rewritten that means the same", () => {
  const [one, other] = [clause("a", "==", "5"), clause("b", "exists")];
  for (const [before, after] of [
    [equation("and", one, other), equation("and", other, one)],
    [equation("or", one), equation("and", one)],
    [equation("and", one), equation("and", clause("{{a}}", "==", 5))],
    [equation("and", one), equation("and", one, clause("a", "exists"))],
  ] as const)
    assert.deepEqual(ofCondition(before, after)[0]?.slice(0, 2), ["rewritten", "low"]);
});

test("an equation is called wider, narrower or rewritten only where it is, for every value", () => {
  const random = seeded(11);
  const pick = <Item>(items: readonly [Item, ...Item[]]): Item =>
    items[Math.floor(random() * items.length)] ?? items[0];
  const one = (): EquationClause => ({
    left: pick(["x", "y"]),
    operator: pick(["==", "!=", "<", "<=", ">", ">=", "contains", "not_contains", "exists", "not_exist"]),
    right: pick(["1", "2", "10", "", "no", 1]),
  });
  const condition = (): TransitionCondition => ({
    type: "equation",
    value: "",
    equations: Array.from({ length: pick([1, 2]) }, one),
    logical_operator: pick(["and", "or"]),
  });
  const values = [undefined, "", "0", "1", "1.0", "1.5", "2", "10", "11", "no", "none"];
  const seen = new Map<string, number>();
  for (let count = 0; count < fc.sampled(300); count++) {
    const [before, after] = [condition(), condition()];
    const kind = ofCondition(before, after)[0]?.[0] ?? "same";
    seen.set(kind, (seen.get(kind) ?? 0) + 1);
    for (const x of values)
      for (const y of values) {
        const variables = { ...(x === undefined ? {} : { x }), ...(y === undefined ? {} : { y }) };
        const [then, now] = [equationHolds(before, variables), equationHolds(after, variables)];
        const allowed = kind === "equation-changed" || then === now || (kind === "equation-wider" ? now : then);
        const isFixed = kind === "rewritten" || kind === "same";
        if (allowed && !(isFixed && then !== now)) continue;
        assert.fail(`${kind}: ${JSON.stringify([before, after, variables])}`);
      }
  }
  assert.ok(seen.has("equation-wider") && seen.has("equation-narrower"), [...seen.keys()].join());
});

test("diffGraphs() names changes of a tool's arguments one by one", () => {
  const after = shopWith((_, nodes) => {
    Object.assign(nodes.repair?.tools?.["0"]?.parameters ?? {}, {
      properties: {
        day: { type: "string", description: "Day of the repair, as YYYY-MM-DD" },
        size: { type: "string", enum: ["small", "medium"] },
        phone: { type: "string" },
      },
      required: ["day", "phone"],
    });
  });
  assert.deepEqual(
    diffGraphs(shopWith(), after).map(({ kind, risk, message }) => [kind, risk, message]),
    [
      [
        "tool-reworded",
        "medium",
        'Tool "book" of "repair" describes parameter "day" differently: "Day of the repair, as YYYY-MM-DD" instead of "Day of the repair"',
      ],
      [
        "tool-schema-changed",
        "high",
        'Tool "book" of "repair": parameter "size" accepts now also "medium" and no longer "large"',
      ],
      ["tool-schema-changed", "high", 'Tool "book" of "repair" has the new parameter "phone" (string, required)'],
    ],
  );
});

test("diffGraphs() tells retargeted, added, removed and reordered transitions apart", () => {
  const of = (edit: (transitions: { [key: string]: unknown }[]) => unknown) =>
    diffGraphs(
      shopWith(),
      shopWith((_, nodes) => {
        const listen: { transitions?: unknown } = nodes.listen ?? {};
        const transitions = listen.transitions;
        if (Array.isArray(transitions)) edit(transitions);
      }),
    ).map(({ kind, message }) => [kind, message]);
  assert.deepEqual(
    of(([first]) => Object.assign(first ?? {}, { target_node_id: "owner" })),
    [["transition-retargeted", 'Transition of "listen" when `balance > 100` goes to "owner" instead of "pay"']],
  );
  assert.deepEqual(
    of((list) => list.splice(0, 1)),
    [["transition-removed", 'Transition "listen" → "pay" when `balance > 100` is gone']],
  );
  assert.deepEqual(
    of((list) => list.splice(1, 0, { target_node_id: "pay", condition: equation("and", clause("balance", "<", 0)) })),
    [["transition-added", '"listen" → "pay" now also when `balance < 0`']],
  );
  assert.deepEqual(
    of((list) => list.splice(0, 2, ...list.slice(0, 2).reverse())),
    [
      [
        "transitions-reordered",
        'Transitions of "listen" are tried in another order: repair, pay, bye instead of pay, repair, bye',
      ],
    ],
  );
});
