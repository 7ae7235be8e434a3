import assert from "node:assert/strict";
import { test } from "node:test";
import {
  deducedEquations,
  deducedWays,
  recordedEquations,
  recordedWays,
} from "../../../../src/agent/analysis/transitions.ts";
import { always, end, graphOf, llm, says, when, whenAll } from "../_graphs.ts";

const tool = (target: string, outcome: string) => ({
  target_node_id: target,
  condition: { type: "tool_call", value: "find", outcome },
});
const [X, Y] = [
  { left: "x", operator: "==", right: "1" },
  { left: "y", operator: "==", right: "2" },
];
const equation = (target: string, operator: "and" | "or") => ({
  target_node_id: target,
  condition: { type: "equation", equations: [X, Y], logical_operator: operator },
});
const GRAPH = graphOf({
  ask: {
    ...says(
      "Ask.",
      llm("b", "Done"),
      when("c", "x", "==", "1"),
      when("c", "y", "==", "2"),
      always("d", { timing: "else" }),
      tool("b", "failed"),
      tool("c", "succeeded"),
    ),
    global_node_setting: {
      condition: "Asks",
      go_back_conditions: [
        { id: "talk", condition: { type: "llm_prompt", value: "Goes on" } },
        { id: "equal", condition: { type: "equation", equations: [{ left: "z", operator: "==", right: "3" }] } },
      ],
    },
  },
  twice: says("Twice.", when("b", "x", "==", "1"), when("b", "{{x}}", "==", 1), always("c"), always("c")),
  pair: says("Pair.", equation("b", "and"), equation("c", "or"), whenAll("d", X)),
  b: end,
  c: end,
  d: end,
});
const move = (from: string, to: unknown, because: string, decision?: unknown) => ({
  node_id: from,
  metadata: { kind: "transition", from, to, because, ...(decision === undefined ? {} : { decision }) },
});
const PICK = { picked: true };

test("deducedWays() finds the transition that a move took by its target and its reason", () => {
  const rows = [
    [move("ask", "b", "Done", PICK), [{ transition: 0 }]],
    [move("ask", "c", "x == 1"), [{ transition: 1 }]],
    [move("ask", "c", 'x == 1 (x = "1")'), [{ transition: 1 }]],
    [move("ask", "c", "y == 2"), [{ transition: 2 }]],
    [move("ask", "c", "y == 3"), []],
    [move("ask", "d", "no other condition is met"), [{ transition: 3 }]],
    [move("ask", "d", "always, after speech"), []],
    [move("ask", "b", "the tool failed"), [{ transition: 4 }]],
    [move("ask", "c", "the tool succeeded"), [{ transition: 5 }]],
    [move("ask", "c", "the tool failed"), []],
    [move("ask", "b", "the tool succeeded"), []],
    [move("ask", "c", "a tool was called"), [{ transition: 5 }]],
    [move("twice", "c", "always, after speech"), [{ transition: 2 }]],
    [move("twice", "b", "x == 1"), []],
    [move("b", "ask", "Asks", PICK), [{ global: true }]],
    [move("ask", "twice", "Goes on", PICK), [{ go_back: 0 }]],
    [move("ask", "twice", "z == 3"), [{ go_back: 1 }]],
    [move("ask", "twice", "z == 4"), []],
    [move("nobody", "b", "Done", PICK), []],
    [move("ask", undefined, "Done", PICK), []],
    [{ node_id: "ask", metadata: { kind: "decision", from: "ask", to: "b", decision: PICK } }, []],
  ] as const;
  for (const [record, ways] of rows) assert.deepEqual(deducedWays(GRAPH, record), ways, JSON.stringify(record));
});

test("deducedEquations() knows that those before the taken one were false", () => {
  const rows = [
    [move("ask", "c", "x == 1"), [{ transition: 1, clauses: [true] }]],
    [
      move("ask", "c", "y == 2"),
      [
        { transition: 1, clauses: [false] },
        { transition: 2, clauses: [true] },
      ],
    ],
    [
      move("ask", "twice", "z == 3"),
      [
        { transition: 1, clauses: [false] },
        { transition: 2, clauses: [false] },
        { go_back: 1, clauses: [true] },
      ],
    ],
    [
      move("ask", "b", "Done", PICK),
      [
        { transition: 1, clauses: [false] },
        { transition: 2, clauses: [false] },
      ],
    ],
    [
      move("ask", "d", "no other condition is met"),
      [
        { transition: 1, clauses: [false] },
        { transition: 2, clauses: [false] },
      ],
    ],
    [move("twice", "c", "always, after speech"), []],
    [move("ask", "c", "a tool was called"), []],
    [move("ask", "c", "y == 3"), []],
    [move("pair", "b", "x == 1 and y == 2"), [{ transition: 0, clauses: [true, true] }]],
    [move("pair", "c", "x == 1 or y == 2"), []],
    [
      move("pair", "d", "x == 1"),
      [
        { transition: 1, clauses: [false, false] },
        { transition: 2, clauses: [true] },
      ],
    ],
  ] as const;
  for (const [record, equations] of rows)
    assert.deepEqual(
      deducedEquations(GRAPH, record, deducedWays(GRAPH, record)),
      equations,
      JSON.stringify(record.metadata),
    );
  const decision = { node_id: "ask", metadata: { kind: "decision", decision: PICK } };
  assert.deepEqual(deducedEquations(GRAPH, decision, []), [
    { transition: 1, clauses: [false] },
    { transition: 2, clauses: [false] },
  ]);
  assert.deepEqual(deducedEquations(GRAPH, { ...decision, node_id: "nobody" }, []), []);
});

test("recordedWays() and recordedEquations() read what a record names, and nothing else", () => {
  const of = (metadata: { readonly [key: string]: unknown }) => ({ node_id: "ask", metadata });
  assert.equal(recordedWays(of({})), undefined);
  assert.equal(recordedEquations(of({ equations: "x" })), undefined);
  const ways = [{ transition: 0 }, { go_back: 1 }, { global: true }, { global: 1 }, { transition: "0" }, null];
  assert.deepEqual(recordedWays(of({ ways })), [{ transition: 0 }, { go_back: 1 }, { global: true }]);
  const equations = [{ transition: 0, clauses: [true, 0] }, { go_back: 1 }, { clauses: [true] }, "x"];
  assert.deepEqual(recordedEquations(of({ equations })), [
    { transition: 0, clauses: [true, false] },
    { go_back: 1, clauses: [] },
  ]);
});
