import assert from "node:assert/strict";
import { test } from "node:test";
import { findPath } from "../../../../src/agent/analysis/mod.ts";
import { toolResult } from "../../../../src/agent/analysis/paths/mod.ts";
import { always, end, graphOf, when } from "../_graphs.ts";

/** A graph with a tool that sets these variables from its result. */
const withTool = (response_variables: { readonly [variable: string]: string }) =>
  graphOf({
    find: { node_type: "function", tools: [{ name: "find", response_variables }], transitions: [always("route")] },
    route: { node_type: "logic", transitions: [when("bye", "state", "==", "sent")] },
    bye: end,
  });

const resultOf = (paths: { readonly [variable: string]: string }, values: { readonly [variable: string]: string }) =>
  toolResult(withTool(paths), { node: "find", tool: "find" }, values);

test("toolResult() places each value at the path of its variable", () => {
  const paths = { state: "$.order.state", name: "customer.name" };
  assert.deepEqual(resultOf(paths, { state: "sent", name: "Ada" }), {
    order: { state: "sent" },
    customer: { name: "Ada" },
  });
});

test("toolResult() leaves out variables without a value", () => {
  assert.deepEqual(resultOf({ state: "$.state", name: "$.name" }, { state: "sent" }), { state: "sent" });
});

test("toolResult() fills a list up to the index of a path", () => {
  assert.deepEqual(resultOf({ state: "$.orders[2].state" }, { state: "sent" }), {
    orders: [null, null, { state: "sent" }],
  });
});

test("toolResult() is a list if the paths begin with an index", () => {
  const paths = { state: "$[1].state", name: "$[0].name" };
  assert.deepEqual(resultOf(paths, { state: "sent", name: "Ada" }), [{ name: "Ada" }, { state: "sent" }]);
});

test("findPath() gives a result to the tool of a path, and to no other step", () => {
  const answer = findPath(withTool({ state: "$.state" }), { node: "bye" });
  const steps = answer.kind === "found" ? answer.path.steps : [];
  assert.deepEqual(
    steps.map((step) => [step.kind, "result" in step ? step.result : undefined]),
    [
      ["open", undefined],
      ["tool", { state: "sent" }],
      ["move", undefined],
      ["move", undefined],
      ["end", undefined],
    ],
  );
  assert.deepEqual(Object.keys(steps[0] ?? {}), ["kind", "node"]);
});
