import assert from "node:assert/strict";
import { test } from "node:test";
import { callOn, pick, to } from "./calls.ts";

const back = (value: unknown) => ({
  id: "back",
  condition: typeof value === "string" ? { type: "llm_prompt", value } : value,
});
const manager = {
  state_prompt: "Take a message.",
  transitions: [to("callback", "A call-back is arranged")],
  global_node_setting: { condition: "Caller asks for a manager", go_back_conditions: [back("Caller wants to go on")] },
};
const nodes = {
  a: { state_prompt: "A", transitions: [to("b", "Caller wants b")] },
  b: { state_prompt: "B" },
  manager,
  callback: { state_prompt: "Arrange it." },
};
const offered = (model: { readonly calls: readonly { signature: string; input: Record<string, unknown> }[] }) =>
  model.calls
    .filter(({ signature }) => signature === "transition")
    .map(({ input }) => (input.available_transitions as { target: string; condition_type: string }[]) ?? [])
    .map((list) => list.map(({ target, condition_type }) => `${condition_type} ${target}`));

test("a global node is offered at every other conversation node, and its go-back within it", async () => {
  const { call, model } = callOn(nodes, { transition: [pick("manager"), pick("a")] });
  await call.open();
  await call.hear("a manager, please");
  assert.deepEqual(call.originators, ["a"]);
  await call.hear("let us go on");
  assert.deepEqual(call.nodesVisited, ["a", "manager", "a"]);
  assert.deepEqual(call.originators, []);
  assert.deepEqual(offered(model), [
    ["llm_prompt b", "global manager"],
    ["llm_prompt callback", "go_back a"],
  ]);
});

test("leaving a global node forward removes its originator", async () => {
  const { call } = callOn(nodes, { transition: [pick("manager"), pick("callback")] });
  await call.open();
  await call.hear("a manager, please");
  await call.hear("call me back");
  assert.deepEqual([call.nodesVisited.at(-1), call.originators], ["callback", []]);
});

test("an equation of a go-back needs no model call", async () => {
  const goBack = back({ type: "equation", value: "", equations: [{ left: "done", operator: "==", right: "yes" }] });
  const equations = {
    ...nodes,
    manager: { ...manager, global_node_setting: { condition: "Manager", go_back_conditions: [goBack] } },
  };
  const { call, model } = callOn(equations, { transition: [pick("manager")] }, { variables: { done: "yes" } });
  await call.open();
  await call.hear("a manager, please");
  await call.hear("well");
  assert.deepEqual(call.nodesVisited, ["a", "manager", "a"]);
  assert.equal(offered(model).length, 1);
});

test("a global entry node has no go-back", async () => {
  const { call, model } = callOn({ manager, callback: nodes.callback }, { transition: [pick("none")] });
  await call.open();
  await call.hear("hm");
  assert.deepEqual(offered(model), [["llm_prompt callback"]]);
});

test("a global node entered from a silent node goes back to that node", async () => {
  const silent = {
    ...nodes,
    a: { state_prompt: "A", transitions: [to("l", "go")] },
    l: {
      node_type: "logic",
      transitions: [to("manager", { type: "equation", equations: [{ left: "vip", operator: "exists" }] })],
    },
  };
  const { call } = callOn(silent, { transition: [pick("l")] }, { variables: { vip: "1" } });
  await call.open();
  await call.hear("go");
  assert.deepEqual([call.nodesVisited, call.originators], [["a", "l", "manager"], ["l"]]);
});
