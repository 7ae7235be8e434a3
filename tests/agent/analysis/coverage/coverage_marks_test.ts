import assert from "node:assert/strict";
import { test } from "node:test";
import { coverageMarks, percentOf, reachableCounts } from "../../../../src/agent/analysis/coverage/mod.ts";
import { type Coverage, coverage } from "../../../../src/agent/analysis/mod.ts";
import { always, end, extract, graphOf, llm, says, when } from "../_graphs.ts";

const GRAPH = graphOf({
  ask: says("Ask.", llm("note", "Done"), when("bye", "x", "==", "1"), when("bye", "x", "==", "2")),
  note: extract([{ name: "plan", type: "enum", choices: ["a", "b"] }], always("bye")),
  help: {
    ...says("Help."),
    global_node_setting: {
      condition: "Lost",
      go_back_conditions: [
        { id: "on", condition: { type: "llm_prompt", value: "On" } },
        { id: "y", condition: { type: "equation", equations: [{ left: "y", operator: "exists" }] } },
      ],
    },
  },
  bye: end,
});
const NONE = coverage(GRAPH, []);
const [CLAUSE, OTHER, BACK] = ["ask -> bye: x == 1", "ask -> bye: x == 2", "back from help: y exists"];

/** A coverage in which calls have exercised the items with these names. */
function covering(...names: readonly string[]): Coverage {
  for (const name of names)
    assert.ok(
      NONE.items.some((item) => item.name === name),
      name,
    );
  return { ...NONE, items: NONE.items.map((item) => ({ ...item, calls: names.includes(item.name) ? 2 : 0 })) };
}

test("coverageMarks() marks a node by whether all that belongs to it is covered", () => {
  const marksOf = (...names: readonly string[]) => coverageMarks(covering(...names)).nodes;
  assert.equal(marksOf().get("note"), "uncovered");
  assert.equal(marksOf("note").get("note"), "partly");
  const all = ["note -> bye", 'note: plan = "a"', 'note: plan = "b"'];
  assert.equal(marksOf("note", ...all.slice(1)).get("note"), "partly");
  assert.equal(marksOf("note", ...all).get("note"), "covered");
  assert.equal(marksOf(...all).get("note"), "uncovered");
  assert.equal(marksOf("bye").get("bye"), "covered");
});

test("coverageMarks() marks a transition by whether it was taken, and its clauses were true and false", () => {
  const rows = [
    [[], "uncovered", "uncovered"],
    [[CLAUSE], "partly", "uncovered"],
    [[CLAUSE, `${CLAUSE} is true`], "partly", "uncovered"],
    [[CLAUSE, `${CLAUSE} is true`, `${CLAUSE} is false`], "covered", "uncovered"],
    [[`${CLAUSE} is true`, `${CLAUSE} is false`], "uncovered", "uncovered"],
    [[CLAUSE, OTHER, `${OTHER} is true`, `${OTHER} is false`], "partly", "covered"],
  ] as const;
  for (const [names, first, second] of rows) {
    const marks = coverageMarks(covering(...names)).transitions.get("ask");
    assert.deepEqual([marks?.size, marks?.get(1), marks?.get(2)], [3, first, second]);
  }
});

test("coverageMarks() marks ways into global nodes and back", () => {
  const { entries, backs } = coverageMarks(covering("into help: Lost", "back from help: On", BACK, `${BACK} is true`));
  assert.deepEqual([...entries], [["help", "covered"]]);
  assert.deepEqual(
    [...(backs.get("help") ?? [])],
    [
      [0, "covered"],
      [1, "partly"],
    ],
  );
  assert.deepEqual([...coverageMarks(covering("help")).entries], [["help", "uncovered"]]);
});

test("coverageMarks() notes how many calls visited a node, and what they did not cover", () => {
  const noteOf = (id: string, ...names: readonly string[]) => coverageMarks(covering(...names)).notes.get(id);
  assert.equal(noteOf("note"), "visited in 0 calls");
  assert.equal(noteOf("bye", "bye"), "visited in 2 calls");
  assert.equal(
    noteOf("note", "note", "note -> bye"),
    'visited in 2 calls; not covered:\nnote: plan = "a"\nnote: plan = "b"',
  );
  const once = { ...NONE, items: NONE.items.map((item) => ({ ...item, calls: 1 })) };
  assert.equal(coverageMarks(once).notes.get("note"), "visited in 1 call");
  const choices = Array.from({ length: 10 }, (_, index) => `c${index}`);
  const wide = coverage(graphOf({ a: extract([{ name: "plan", type: "enum", choices }]) }), [{ nodesVisited: ["a"] }]);
  const lines = coverageMarks(wide).notes.get("a")?.split("\n") ?? [];
  assert.deepEqual([lines.length, lines.at(-2), lines.at(-1)], [10, 'a: plan = "c7"', "and 2 more"]);
  const narrow = coverage(graphOf({ a: extract([{ name: "plan", type: "enum", choices: choices.slice(2) }]) }), [
    { nodesVisited: ["a"] },
  ]);
  assert.equal(coverageMarks(narrow).notes.get("a")?.split("\n").at(-1), 'a: plan = "c9"');
});

test("reachableCounts() leaves out what no call can reach, and keeps what was only not found", () => {
  const [first, second] = NONE.items;
  assert.ok(first && second);
  const counts = reachableCounts(covering("bye"), [
    { kind: "none", item: first, reason: "x" },
    { kind: "unknown", item: second, reason: "x" },
  ]);
  assert.deepEqual(counts.total, { covered: 1, total: NONE.items.length - 1 });
  assert.deepEqual(counts.node, { covered: 1, total: 3 });
});

test("percentOf() rounds down, so that only everything is 100 %", () => {
  const rows = [
    [0, 0, 100],
    [0, 3, 0],
    [1, 3, 33.3],
    [2, 3, 66.6],
    [9999, 10_000, 99.9],
    [3, 3, 100],
  ] as const;
  for (const [covered, total, percent] of rows) assert.equal(percentOf({ covered, total }), percent);
});
