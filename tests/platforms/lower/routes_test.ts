import assert from "node:assert/strict";
import { test } from "node:test";
import {
  foldLogic,
  type Guard,
  guardGoBacks,
  type LoweredGraph,
  lower,
  multiplyGlobals,
  type PlatformGuards,
  type Route,
} from "../../../platforms/lower/mod.ts";
import { own } from "../../../src/base/values/mod.ts";
import { always, equal, graphOf, told } from "../vapi/compile/graphs.ts";

/** Guards by a function's outcome if the transition names one. A function node's work is done once the function has run. */
const state: PlatformGuards = {
  outcome: ({ id }, { condition: { outcome } }) => (outcome ? { kind: "is", variable: id, value: outcome } : undefined),
  outcomeWords: ({ id }, { condition: { outcome } }) => `${id} ${outcome ?? "answered"}`,
  work: ({ id, node_type: type }) =>
    type === "function" ? { kind: "is", variable: `${id} ran`, value: "yes" } : undefined,
};

function inWords(guard: Guard): string {
  if (guard.kind === "clause")
    return `${guard.clause.left} ${guard.clause.operator} ${guard.clause.right ?? ""}`.trim();
  if (guard.kind === "is") return `${guard.variable} is ${guard.value}`;
  if (guard.kind === "not") return `not(${inWords(guard.guard)})`;
  return guard.guards.length === 0 && guard.kind === "all"
    ? ""
    : `${guard.kind}(${guard.guards.map(inWords).join(", ")})`;
}

/** Summarizes a route: its target, guard, texts for the model, and how it is taken. */
const summary = ({ target, guard, texts, through, forced, waits, path, hops, choices, back }: Route) => ({
  to: [...through, target].join(" > "),
  if: inWords(guard),
  judges: texts.join(" + "),
  how: [...(forced ? ["forced"] : []), ...(waits ? ["waits"] : []), ...(back ? [`back by ${back.id}`] : [])].join(", "),
  path: path.join("."),
  hops: hops.join(", "),
  choices: choices.join(", "),
});

function routesOf(graph: LoweredGraph, id: string) {
  const stays = (each: string) => own(graph.nodes, each)?.node_type === "conversation";
  return foldLogic(graph, stays, state).routes(id).map(summary);
}

const called = (target_node_id: string, outcome?: string) => ({
  target_node_id,
  condition: { type: "tool_call", value: "", ...(outcome ? { outcome } : {}) },
});

test("foldLogic keeps the first `always` transition of each timing of a speaking node", () => {
  const graph = graphOf({
    tells: { transitions: [always("a")] },
    rushes: { transitions: [always("a", "skip_response")] },
    waits: { transitions: [always("a", "else")] },
    asks: { transitions: [told("a", "Yes"), always("b", "else")] },
    does: { transitions: [always("a"), always("b", "else"), always("a", "else"), equal("b", "x", "1")] },
    a: {},
    b: {},
  });
  const route = (from: string, index: number, to: string) => ({
    ...{ to, if: "", judges: "", how: "", path: `nodes.${from}.transitions.${index}` },
    ...{ hops: `${index} ${from}`, choices: `${index} ${from}` },
  });
  assert.deepEqual(routesOf(graph, "tells"), [{ ...route("tells", 0, "a"), how: "forced, waits" }]);
  assert.deepEqual(routesOf(graph, "rushes"), [{ ...route("rushes", 0, "a"), how: "forced" }]);
  assert.deepEqual(routesOf(graph, "waits"), [
    { ...route("waits", 0, "a"), how: "forced", judges: "the caller has answered" },
  ]);
  assert.deepEqual(routesOf(graph, "asks"), [
    { ...route("asks", 0, "a"), judges: "Yes" },
    { ...route("asks", 1, "b"), judges: "none of the other conditions holds" },
  ]);
  assert.deepEqual(routesOf(graph, "does"), [
    { ...route("does", 0, "a"), how: "forced, waits" },
    { ...route("does", 1, "b"), how: "forced", judges: "the caller has answered", if: "not(x == 1)" },
    { ...route("does", 3, "b"), how: "forced", choices: "", if: "x == 1" },
  ]);
});

test("foldLogic guards routes after a function by its outcome, as text if no variable stores it", () => {
  const graph = graphOf({
    asks: { transitions: [told("f", "Go")] },
    f: {
      node_type: "function",
      tools: [{ name: "t", description: "" }],
      transitions: [called("a", "succeeded"), called("b"), always("desk")],
    },
    a: {},
    b: {},
    desk: { node_type: "transfer", transitions: [always("a")] },
  });
  const failed = "all(f ran is yes, not(f is succeeded))";
  const shared = { path: "nodes.asks.transitions.0", how: "" };
  assert.deepEqual(routesOf(graph, "asks"), [
    {
      ...{ ...shared, to: "f > a", if: "all(f ran is yes, f is succeeded)", judges: "Go + f succeeded" },
      ...{ hops: "0 asks, 0 f", choices: "0 asks" },
    },
    { ...shared, to: "f > b", if: failed, judges: "Go + f answered", hops: "0 asks, 1 f", choices: "0 asks, 1 f" },
    { ...shared, to: "f > desk", if: failed, judges: "Go", hops: "0 asks, 2 f", choices: "0 asks" },
  ]);
  assert.deepEqual([routesOf(graph, "desk"), routesOf(graph, "none")], [[], []]);
});

test("foldLogic keeps whether a route waits and is forced if it continues through silent nodes", () => {
  const graph = graphOf({
    says: { transitions: [always("sort")] },
    sort: { node_type: "logic", transitions: [equal("a", "x", "1"), always("b")] },
    a: {},
    b: {},
  });
  const shared = { judges: "", how: "forced, waits", path: "nodes.says.transitions.0", choices: "0 says" };
  assert.deepEqual(routesOf(graph, "says"), [
    { ...shared, to: "sort > a", if: "x == 1", hops: "0 says, 0 sort" },
    { ...shared, to: "sort > b", if: "not(x == 1)", hops: "0 says, 1 sort" },
  ]);
});

test("foldLogic guards ways back by the node that the caller came from, and counts those of one condition once", () => {
  const equation = { type: "equation", value: "", equations: [{ left: "x", operator: "==", right: "1" }] };
  const backs = [
    { id: "e", condition: equation },
    { id: "l", condition: { type: "llm_prompt", value: "Thanks" } },
  ];
  const graph = graphOf({
    a: {},
    b: { transitions: [told("s", "Go")] },
    s: { node_type: "logic", transitions: [told("g", "Help")] },
    g: { transitions: [told("a", "Done")], global_node_setting: { condition: "Help", go_back_conditions: backs } },
  });
  const { graph: lowered } = lower(graph, [multiplyGlobals, guardGoBacks(() => "from")]);
  const at = (condition: number, from: string, index: number) => ({
    ...{ path: `nodes.g.global_node_setting.go_back_conditions.${condition}`, hops: `${index} g` },
    ...{ how: condition === 0 ? "forced, back by e" : "back by l", judges: condition === 0 ? "" : "Thanks" },
    ...{ choices: condition === 0 ? "" : `${index} g`, to: from },
    if: `all(from is ${from}, ${condition === 0 ? "from exists, x == 1" : "not(all(from exists, x == 1))"})`,
  });
  const isNotBack = { if: "not(all(from exists, x == 1))", path: "nodes.g.transitions.0" };
  assert.deepEqual(routesOf(lowered, "g"), [
    { ...isNotBack, to: "a", judges: "Done", how: "", hops: "0 g", choices: "0 g" },
    at(0, "a", 1),
    at(0, "b", 2),
    { ...at(0, "s", 3), to: "s > g", hops: "3 g, 0 s", choices: "0 s", how: "back by e", judges: "Help" },
    at(1, "a", 4),
    at(1, "b", 5),
    { ...at(1, "s", 6), to: "s > g", hops: "6 g, 0 s", choices: "6 g, 0 s", judges: "Thanks + Help" },
  ]);
  assert.deepEqual(
    foldLogic(lowered, (id) => id !== "s", state)
      .routes("b")
      .map(({ sets }) => sets),
    [{ from: "s" }, { from: "b" }],
  );
});
