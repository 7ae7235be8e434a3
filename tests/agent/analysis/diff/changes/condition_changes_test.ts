import assert from "node:assert/strict";
import { test } from "node:test";
import { equationTail, implies } from "../../../../../src/agent/analysis/diff/affected_scenarios.ts";
import type { EquationClause, TransitionCondition } from "../../../../../src/document/graph/mod.ts";
import { nodeChangesOf } from "./_changes.ts";

const changesOf = (before: object, after: object) => {
  const node = (condition: object) => ({ state_prompt: "Talk.", transitions: [{ target_node_id: "b", condition }] });
  return nodeChangesOf(node(before), node(after)).map(({ kind, message }) => [kind, message]);
};
const is = (left: string, right: unknown, operator: EquationClause["operator"] = "=="): EquationClause => ({
  left,
  operator,
  right: right as string, // documents have numbers, too
});
const equation = (operator: "and" | "or", ...equations: readonly EquationClause[]): TransitionCondition => ({
  type: "equation",
  value: "",
  equations,
  logical_operator: operator,
});
const all = (...equations: readonly EquationClause[]) => equation("and", ...equations);
const any = (...equations: readonly EquationClause[]) => equation("or", ...equations);

test("diffGraphs() says for which event a transition waits now", () => {
  const tool = (value: string, outcome?: string) => ({ type: "tool_call", value, ...(outcome && { outcome }) });
  const llm = { type: "llm_prompt", value: "Done" };
  const rows = [
    [llm, { type: "always" }, 'always instead of when "Done"'],
    [llm, tool("book"), 'when tool "book" has answered instead of when "Done"'],
    [tool("book", "failed"), tool("book", "succeeded"), 'when tool "book" succeeds instead of when tool "book" fails'],
    [tool("book", "failed"), tool("find", "failed"), 'when tool "find" fails instead of when tool "book" fails'],
  ] as const;
  for (const [before, after, words] of rows)
    assert.deepEqual(changesOf(before, after), [["condition-changed", `Transition "a" → "b" is taken ${words}`]]);
});

test("diffGraphs() calls a condition rewritten if only what its type does not use differs", () => {
  const equations = [is("x", "1")];
  const rows = [
    [{ type: "tool_call", value: "book" }, { equations }, "has other equations, which a tool outcome does not use"],
    [
      { type: "llm_prompt", value: "Done" },
      { equations },
      "has other equations or outcomes, which an LLM condition does not use",
    ],
    [{ type: "always" }, { value: "Go" }, "has another text, which a transition without condition does not use"],
    [
      { type: "equation", equations: [is("x", undefined, "exists")] },
      { equations: [is("x", "1", "exists")] },
      "has the same equations, with another spelling",
    ],
    [
      { type: "equation", equations: [is("x", "1"), is("y", "1")] },
      { equations: [is("y", "1"), is("x", "1")] },
      "has the same equations, in another form",
    ],
  ] as const;
  for (const [before, more, words] of rows)
    assert.deepEqual(changesOf(before, { ...before, ...more }), [["rewritten", `Transition "a" → "b" ${words}`]]);
});

test("diffGraphs() reports unknown keys of a condition beside its other changes", () => {
  const of = (value: string, note: number) => ({ type: "llm_prompt", value, x_note: note });
  const note = ["other-changed", "nodes.a.transitions.0.condition.x_note is 2 instead of 1"];
  assert.deepEqual(changesOf(of("Done", 1), of("Done", 2)), [note]);
  assert.deepEqual(changesOf(of("Done", 1), of("Finished", 2)), [
    ["condition-reworded", 'Transition "a" → "b" asks "Finished" instead of "Done"'],
    note,
  ]);
});

test("equationTail() names the clauses that changed, and both equations where that would not be clear", () => {
  const [x, y, z] = [is("x", "1"), is("y", "2"), is("z", "3")];
  const rows = [
    [all(), all(x), "is taken when `x == 1` instead of when no equation"],
    [all(x), all(), "is taken when no equation instead of when `x == 1`"],
    [any(x, y), all(x, z), "is taken when `x == 1` and `z == 3` instead of when `x == 1` or `y == 2`"],
    [any(x), all(x, y), "now also needs `y == 2`"],
    [all(x), any(x, y), "is now also taken when `y == 2`"],
    [all(x), all(y), "now also needs `y == 2` and no longer needs `x == 1`"],
    [any(x, y), any(x, z), "is now also taken when `z == 3` and is no longer taken when `y == 2`"],
    [
      all(is("x", 1, ">")),
      all(is("x", 2, ">"), is("x", 5, "<")),
      "now also needs `x > 2` and `x < 5` and no longer needs `x > 1`",
    ],
    [
      all(is("x", 2, ">"), is("x", 5, "<")),
      all(is("x", 1, ">")),
      "now also needs `x > 1` and no longer needs `x > 2` and `x < 5`",
    ],
    [all(x, is("y", 1, ">")), all(x, is("{{y}}", 2, ">")), "needs `y > 2` instead of `y > 1`"],
  ] as const;
  for (const [before, after, words] of rows) assert.equal(equationTail(before, after), words);
});

test("implies() decides for texts and numbers, and not for the values of other variables", () => {
  const rows = [
    [all(is("plan", "gold")), all(is("plan", "silver", "!=")), true],
    [all(is("plan", "{{gold}}")), all(is("plan", "silver", "!=")), false],
    [all(is("plan", "gold")), all(is("plan", "{{silver}}", "!=")), false],
    [all(is("plan", "no-{{id}}")), all(is("plan", "no-", "contains")), false],
    [all(is("plan", "no-{{id}}")), all(is("plan", "no-{{ id }}")), false],
    [all(is("plan", "{{id}}")), all(is("plan", "{{ id }}")), false],
    [all(is("age", "5", ">")), all(is("age", "4", ">")), true],
    [all(is("age", "4", ">")), all(is("age", "5", ">")), false],
    [all(is("age", "{{limit}}", ">")), all(is("age", "7")), false],
    [all(is("age", "{{limit}}", ">")), all(is("age", "{{limit}}", ">=")), true],
    [all(is("age", "limit", ">")), all(is("age", "7")), true], // a word is no number: never true
  ] as const;
  for (const [one, other, expected] of rows) assert.equal(implies(one, other), expected, JSON.stringify([one, other]));
});
