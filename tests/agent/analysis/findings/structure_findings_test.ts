import assert from "node:assert/strict";
import { test } from "node:test";
import { checkGraph } from "../../../../src/agent/analysis/mod.ts";
import { end, graphOf, llm, logic, says, when } from "../_graphs.ts";

const CODES = ["island", "unreachable-node", "no-way-out", "end-never-reached"];
const found = (nodes: { readonly [id: string]: object }) =>
  checkGraph(graphOf(nodes))
    .filter(({ code }) => CODES.includes(code))
    .map(({ code, path, witness }) => [code, path[1], ...(witness?.path ?? [])].join(" "));
const to = (...ids: readonly string[]) => says("Talk.", ...ids.map((id) => llm(id, `to ${id}`)));
const global = (node: object, ...back: readonly object[]) => ({
  ...node,
  global_node_setting: { condition: "x", go_back_conditions: back },
});

test("checkGraph() finds nodes that no call reaches, those that lead to each other together", () => {
  const base = { a: to("bye"), bye: end };
  assert.deepEqual(found({ ...base, lost: to("bye") }), ["unreachable-node lost"]);
  assert.deepEqual(found({ ...base, lost: to("lost") }), ["unreachable-node lost"]);
  assert.deepEqual(found({ ...base, x: to("y"), y: to("bye"), z: to("bye") }), ["island x", "unreachable-node z"]);
  const [finding] = checkGraph(graphOf({ ...base, x: to("y"), z: to("bye"), y: to("bye") })).filter(
    ({ code }) => code === "island",
  );
  assert.equal(finding?.message, 'no call reaches the nodes "x", "y", which only lead to each other');
  assert.deepEqual(found({ ...base, help: global(to("more")), more: to("bye") }), []);
});

test("checkGraph() finds nodes from which no call gets to an end, with a way to them", () => {
  const loop = { x: to("y"), y: to("x") };
  assert.deepEqual(found({ a: to("b", "bye"), b: to("x"), ...loop, bye: end }), ["end-never-reached x a b x"]);
  assert.deepEqual(found({ a: to("b", "bye"), b: to("b"), bye: end }), ["no-way-out b a b"]);
  assert.deepEqual(found({ a: to("b"), b: to("a") }), []);
  assert.deepEqual(found({ a: to("x", "bye"), x: to("y"), y: to("x", "bye"), bye: end }), []);
  assert.deepEqual(
    found({ a: to("x", "bye"), x: logic(when("y", "v", "==", "1")), y: logic(when("x", "v", "==", "1")), bye: end }),
    [],
  );
  const hangsUp = { ...to("x"), tools: [{ name: "end_call", type: "end_call", description: "Ends" }] };
  assert.deepEqual(found({ a: to("x", "bye"), x: to("y"), y: hangsUp, bye: end }), []);
});

test("checkGraph() takes a global node for a way out of a loop, except out of its own", () => {
  const loop = { a: to("x", "bye"), x: to("y"), y: to("x"), bye: end };
  const back = { id: "b", condition: { type: "llm_prompt", value: "Back" } };
  assert.deepEqual(found({ ...loop, help: global(to("bye")) }), []);
  assert.deepEqual(found({ a: to("bye"), bye: end, help: global(to("help")) }), ["no-way-out help help"]);
  assert.deepEqual(found({ a: to("bye"), bye: end, help: global(to("help"), back) }), []);
});
