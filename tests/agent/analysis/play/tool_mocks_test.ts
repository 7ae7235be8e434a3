import assert from "node:assert/strict";
import { test } from "node:test";
import type { PathStep } from "../../../../src/agent/analysis/paths/mod.ts";
import { conditionsTo } from "../../../../src/agent/analysis/play/mod.ts";
import { toolMocks } from "../../../../src/agent/analysis/play/play_path.ts";
import { always, end, graphOf, llm, says, when } from "../_graphs.ts";

const call = (tool: string, result: unknown, outcome: "succeeded" | "failed" = "succeeded"): PathStep => ({
  kind: "tool",
  node: "a",
  tool,
  by: "node",
  asksArguments: false,
  outcome,
  result,
  variables: {},
});
const transfer = (node: string, outcome: "succeeded" | "failed"): PathStep => ({ kind: "transfer", node, outcome });
const mocksOf = (...steps: readonly PathStep[]) =>
  toolMocks(steps).map((mock) => {
    const { tool_name: name, output, result } = mock;
    return [name, output, result, "times" in mock ? mock.times : undefined];
  });

test("a tool that always answers alike has one mock for all of its calls", () => {
  assert.deepEqual(mocksOf(call("find", { id: 1 }), { kind: "hear", node: "a" }, call("find", { id: 1 })), [
    ["find", { id: 1 }, true, undefined],
  ]);
  assert.deepEqual(mocksOf(call("find", "none", "failed"), call("book", "done")), [
    ["find", "none", false, undefined],
    ["book", "done", true, undefined],
  ]);
});

test("a tool whose answers differ has a mock for each answer, with the number of its uses", () => {
  assert.deepEqual(mocksOf(call("find", 1), call("find", 1), call("book", 5), call("find", 2), call("find", 1)), [
    ["find", 1, true, 2],
    ["book", 5, true, undefined],
    ["find", 2, true, 1],
    ["find", 1, true, 1],
  ]);
});

test("a mock's output reads back as the result, also if that is a text with JSON in it", () => {
  const rows = [
    ["done", "done"],
    ["12", '"12"'],
    ["true", '"true"'],
    [undefined, ""],
    [null, ""],
    [0, 0],
    [[1], [1]],
  ] as const;
  for (const [result, output] of rows) assert.deepEqual(mocksOf(call("find", result))[0]?.[1], output);
});

test("a transfer has a mock only at a node where one fails", () => {
  assert.deepEqual(mocksOf(transfer("desk", "succeeded")), []);
  assert.deepEqual(mocksOf(transfer("desk", "failed"), transfer("owner", "succeeded")), [
    ["desk", "the transfer failed", false, undefined],
  ]);
  assert.deepEqual(mocksOf(transfer("desk", "failed"), transfer("desk", "succeeded")), [
    ["desk", "the transfer failed", false, 1],
    ["desk", "", true, 1],
  ]);
});

test("a model sees the conditions of the node itself, else those of the global node or of going back", () => {
  const back = (id: string, condition: object) => ({ id, condition });
  const graph = graphOf({
    a: says("Greet.", llm("b", "Order"), llm("b", "Buy"), llm("c", "Done"), when("b", "x", "==", "1"), always("c")),
    b: says("Order."),
    help: {
      ...says("Help.", llm("c", "Hangs up")),
      global_node_setting: {
        condition: "Needs help",
        go_back_conditions: [
          back("x", { type: "llm_prompt", value: "Goes on" }),
          back("y", { type: "equation", equations: [{ left: "x", operator: "exists" }] }),
        ],
      },
    },
    c: end,
  });
  const rows = [
    ["a", "b", ["Order", "Buy"]],
    ["a", "c", ["Done"]],
    ["a", "help", ["Needs help"]],
    ["b", "help", ["Needs help"]],
    ["help", "c", ["Hangs up"]],
    ["help", "a", ["Goes on"]],
    ["help", "help", ["Goes on"]],
    ["help", "nobody", ["Goes on"]],
    ["b", "a", []],
  ] as const;
  for (const [id, target, conditions] of rows) {
    const node = graph.nodes[id];
    assert.deepEqual(node && conditionsTo(graph, node, target), conditions, `${id} > ${target}`);
  }
});
