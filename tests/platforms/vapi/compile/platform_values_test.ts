import assert from "node:assert/strict";
import { test } from "node:test";
import { Liquid } from "liquidjs";
import { importAgent } from "../../../../platforms/mod.ts";
import { emitSquad } from "../../../../platforms/vapi/compile/mod.ts";
import type { JsonObject } from "../../../../src/base/values/mod.ts";
import { equal, graphOf, handoffTo, json, memberOf, promptOf, records } from "./graphs.ts";
import { isVetoed } from "./liquid.ts";

const CALL = { customer: { number: "+14155550101" }, call: { id: "call-1" } };

/** Emits a prompt; returns the system message and the losses. */
function told(prompt: string, rest: JsonObject = {}): { text: string; losses: readonly string[] } {
  const { config, losses } = emitSquad(graphOf({ a: { state_prompt: prompt } }, rest));
  const text: unknown = new Liquid().parseAndRenderSync(promptOf(memberOf(json(config), "a")), CALL);
  return { text: String(text), losses: losses.map(({ kind, code, path }) => `${kind} ${code} ${path.join(".")}`) };
}

test("Retell's system variables become Vapi's variables", () => {
  assert.deepEqual(told("{{user_number}} {{ call_id }}"), { text: "+14155550101 call-1", losses: [] });
  const { losses, config } = emitSquad(graphOf({ a: { transitions: [equal("b", "user_number", "+1")] }, b: {} }));
  const tool = handoffTo(memberOf(json(config), "a"), "b");
  assert.equal(isVetoed(tool, { customer: { number: "+1" } }), false);
  assert.equal(isVetoed(tool, { user_number: "+1" }), true);
  assert.deepEqual(
    losses.map(({ code }) => code),
    ["equation-as-trigger"],
  );
});

test("Retell's clock variables become Vapi's clock in the same time zone", () => {
  const { text, losses } = told("{{current_time_Europe/Berlin}}|{{current_time}}|{{current_hour_Asia/Tokyo}}");
  assert.match(text, /^(\w+, \w+ \d+, \d{4} at \d+:\d\d:\d\d [AP]M\|){2}\d\d$/);
  const names = ["current_time_Europe/Berlin", "current_time", "current_hour_Asia/Tokyo"];
  assert.deepEqual(
    losses,
    names.map((name) => `emulated platform-variable variables.${name}`),
  );
});

test("a system variable that only Retell has becomes a variable that calls can set, with a valid name", () => {
  const { text, losses } = told("[{{direction}}{{current_calendar_Asia/Tokyo}}]");
  assert.equal(text, "[]");
  assert.deepEqual(losses, [
    "dropped platform-variable variables.direction",
    "dropped platform-variable variables.current_calendar_Asia/Tokyo",
  ]);
  const { losses: asked } = emitSquad(graphOf({ a: { transitions: [equal("b", "current_hour", "9")] }, b: {} }));
  assert.ok(asked.some(({ code, path }) => code === "platform-variable" && path[1] === "current_hour"));
});

test("a clock variable with a time zone becomes Vapi's clock, also if an equation reads it", () => {
  const hour = "current_hour_Europe/Berlin";
  const prompt = `Hour {{${hour}}}`;
  const { config, losses } = emitSquad(
    graphOf({ a: { state_prompt: prompt, transitions: [equal("b", hour, "9")] }, b: {} }),
  );
  const member = memberOf(json(config), "a");
  assert.match(String(new Liquid().parseAndRenderSync(promptOf(member), CALL)), /^Hour \d\d\b/);
  assert.equal(isVetoed(handoffTo(member, "b"), { current_hour_Europe_Berlin: "9" }), false);
  assert.deepEqual(
    losses.map(({ kind, code, path }) => `${kind} ${code} ${path.join(".")}`).filter((told) => told.includes(hour)),
    [`dropped platform-variable variables.${hour}`],
  );
});

test("the graph's own variables, and all in Vapi's documents, keep their names", () => {
  const own = { source_metadata: { default_dynamic_variables: { call_id: "mine" } } };
  assert.deepEqual(told("[{{call_id}}]", own), { text: "[]", losses: [] });
  assert.deepEqual(told("[{{call_id}}]", { source_type: "vapi-workflow" }), { text: "[]", losses: [] });
});

test("the URL of a tool uses Vapi's variable names, and an imported graph the original ones", () => {
  const url = "https://example.com/{{user_number}}?plan={{plan-name}}";
  const tools = [{ name: "find", description: "", url }];
  const graph = graphOf({ a: { tools, transitions: [equal("b", "plan-name", "gold")] }, b: {} });
  const squad = json(emitSquad(graph).config);
  const [tool] = records(memberOf(squad, "a"), "assistant", "model", "tools");
  assert.equal(tool?.url, "https://example.com/{{customer.number}}?plan={{plan_name}}");
  assert.equal(importAgent(squad).graph.nodes.a?.tools[0]?.url, url);
});
