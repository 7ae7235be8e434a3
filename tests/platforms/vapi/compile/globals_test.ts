import assert from "node:assert/strict";
import { test } from "node:test";
import { emitSquad } from "../../../../platforms/vapi/compile/mod.ts";
import { at, equal, graphOf, handoffTo, json, memberOf, nameOf, records, told, toolsOf } from "./graphs.ts";
import { isVetoed } from "./liquid.ts";

const back = (value: string) => ({ id: "back", condition: { type: "llm_prompt", value } });
const GRAPH = graphOf({
  a: { transitions: [told("b", "x")] },
  b: {},
  help: {
    global_node_setting: { condition: "Caller asks for help", go_back_conditions: [back("Caller is fine")] },
    transitions: [told("b", "Caller gives up")],
  },
  info: { global_node_setting: { condition: "Caller asks for the hours" } },
});
const squad = json(emitSquad(GRAPH).config);

test("emitSquad() adds a handoff to global nodes to every other member", () => {
  for (const [member, targets] of [
    ["a", ["b", "help", "info"]],
    ["b", ["help", "info"]],
    ["info", ["help"]],
  ] as const) {
    const found = toolsOf(memberOf(squad, member)).map((tool) => records(tool, "destinations")[0]?.assistantName);
    assert.deepEqual(found, targets);
  }
  const { description } = at(handoffTo(memberOf(squad, "a"), "help"), "function");
  assert.equal(description, "Caller asks for help");
});

test("emitSquad() allows a handoff back from a global node only to the member that the call came from", () => {
  const help = memberOf(squad, "help");
  const returns = toolsOf(help).filter((tool) => String(at(tool, "function").description).startsWith("Caller is fine"));
  assert.deepEqual(
    returns.map((tool) => records(tool, "destinations")[0]?.assistantName),
    ["a", "b", "info"],
  );
  for (const member of ["a", "b", "info"]) {
    const [entering] = records(handoffTo(memberOf(squad, member), "help"), "destinations");
    const carried = at(entering, "assistantOverrides", "variableValues");
    const open = returns.filter((tool) => !isVetoed(tool, carried));
    assert.deepEqual(
      open.map((tool) => records(tool, "destinations")[0]?.assistantName),
      [member],
    );
  }
  assert.equal(returns.filter((tool) => !isVetoed(tool, {})).length, 0, "a call that came from nowhere goes nowhere");
});

test("emitSquad() checks the equation of a go-back after the node's own equations, and before the model chooses", () => {
  const global = {
    condition: "Caller asks for help",
    go_back_conditions: [{ id: "back", condition: equal("", "done", "yes").condition }],
  };
  const nodes = {
    a: {},
    help: { global_node_setting: global, transitions: [equal("end", "over", "yes"), told("end", "bye")] },
    end: {},
  };
  const help = memberOf(json(emitSquad(graphOf(nodes)).config), "help");
  const open = (variables: object) =>
    toolsOf(help)
      .filter((tool) => !isVetoed(tool, { from_help: "a", ...variables }))
      .map(nameOf);
  assert.deepEqual(open({ over: "yes", done: "yes" }), ["to_end"]);
  assert.deepEqual(open({ done: "yes" }), ["to_a"]);
  assert.deepEqual(open({}), ["to_end_2"]);
});

test("emitSquad() reports that the model chooses when to go back, and that detours do not nest", () => {
  const setting = { condition: "x", go_back_conditions: [back("y")] };
  const { losses } = emitSquad(
    graphOf({ a: {}, g: { global_node_setting: setting }, h: { global_node_setting: setting } }),
  );
  assert.deepEqual(
    losses.map(({ code, kind, path }) => [code, kind, path[1]]),
    [
      ["nested-global-return", "emulated", "g"],
      ["nested-global-return", "emulated", "h"],
      ["go-back-timing", "emulated", "g"],
      ["go-back-timing", "emulated", "h"],
    ],
  );
});

test("emitSquad() resets the variables that mark a member's work as done on every handoff to it", () => {
  const outcome = (target: string, value: "succeeded" | "failed") => ({
    target_node_id: target,
    condition: { type: "tool_call", value: "", outcome: value },
  });
  const graph = graphOf({
    a: { transitions: [told("look", "Caller names an order")] },
    look: {
      node_type: "function",
      tools: [{ name: "look_up" }],
      transitions: [outcome("found", "succeeded"), outcome("gone", "failed")],
    },
    found: { transitions: [told("a", "Caller has another order")] },
    gone: {},
  });
  const emittedSquad = json(emitSquad(graph).config);
  const [again] = records(handoffTo(memberOf(emittedSquad, "found"), "a"), "destinations");
  const variables = { did_look_up: "failed", ...at(again, "assistantOverrides", "variableValues") };
  const open = toolsOf(memberOf(emittedSquad, "a")).filter((tool) => !isVetoed(tool, variables));
  assert.deepEqual(open.map(nameOf), ["look_up"]);
});
