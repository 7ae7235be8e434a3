import assert from "node:assert/strict";
import { test } from "node:test";
import { findPath } from "../../../../src/agent/analysis/mod.ts";
import { always, end, extract, graphOf, logic, talk, when } from "../_graphs.ts";

const number = (name: string) => ({ name, description: name, type: "number" });

/** A graph that compares two variables, goes through this node, and compares them the other way. */
const around = (between: object) =>
  graphOf({
    start: extract([number("a"), number("b")], always("first")),
    first: logic(when("between", "a", ">", "{{b}}")),
    between,
    second: logic(when("bye", "b", ">=", "{{a}}")),
    bye: end,
  });

test("findPath() proves that no call passes two equations that exclude each other", () => {
  const answer = findPath(around(logic(always("second"))), { node: "bye" });
  assert.equal(answer.kind, "none");
});

test("findPath() forgets what an equation has shown of a variable that is set again", () => {
  for (const name of ["a", "b"]) {
    const answer = findPath(around(extract([number(name)], always("second"))), { node: "bye" });
    assert.equal(answer.kind, "found", name);
  }
});

test("findPath() keeps what an equation has shown when another variable is set", () => {
  const answer = findPath(around(extract([number("other")], always("second"))), { node: "bye" });
  assert.equal(answer.kind, "none");
});

test("findPath() asks the model for nothing at a node that offers nothing", () => {
  const graph = graphOf({
    ask: talk(when("late", "status", "==", "late"), always("bye", { timing: "else" })),
    late: end,
    bye: end,
  });
  const answer = findPath(graph, { node: "bye" });
  const steps = answer.kind === "found" ? answer.path.steps : [];
  assert.deepEqual(
    steps.map(({ kind }) => kind),
    ["open", "speak", "hear", "move", "end"],
  );
});
