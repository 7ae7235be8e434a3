import assert from "node:assert/strict";
import { test } from "node:test";
import { scripted } from "../../../src/call/models/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { run } from "../../../src/run/runner/mod.ts";

const now = () => new Date("2024-03-28T23:46:04.000Z");

/** What a prompt's text becomes in a call. */
async function told(prompt: string, options: Parameters<typeof run>[2] = {}, variables = {}): Promise<unknown> {
  const agent = scripted({});
  const graph = parseGraph({
    entry_node_id: "bye",
    source_metadata: { default_dynamic_variables: { agent_number: "+1" } },
    nodes: { bye: { node_type: "end", state_prompt: prompt } },
  });
  const scenarios = [{ name: "call", says: ["Hi"], ends: "agent_ended" as const, dynamic_variables: variables }];
  await run(graph, scenarios, { models: { agent }, store: false, clock: { now }, ...options });
  return agent.calls[0]?.input.state_instructions;
}

test("run() provides the platforms' variables, from its clock", async () => {
  const cases = [
    ["{{current_time}}", "Thursday, March 28, 2024 at 4:46:04 PM PDT"],
    ["{{current_time_UTC}}", "Thursday, March 28, 2024 at 11:46:04 PM UTC"],
    ["{{ current_hour }} {{current_hour_Asia/Tokyo}}", "16 08"],
    ["{{now}}", "Mar 28, 2024, 11:46 PM"],
    ["{{date}} {{time}} {{year}} {{month}} {{day}}", "Mar 28, 2024 11:46 PM 2024 March 28"],
    ["{{direction}} {{call_type}} {{session_type}}", "inbound phone_call voice"],
    ["{{user_number}} {{customer.number}}", "+12025550143 +12025550143"],
  ] as const;
  for (const [prompt, expected] of cases) assert.equal(await told(prompt), expected);
});

test("run() provides a calendar of 14 days that starts today in the agent's time zone", async () => {
  const days = String(await told("{{current_calendar_Asia/Tokyo}}")).split("\n");
  assert.equal(days.length, 14);
  assert.equal(days[0], "Friday, March 29, 2024 (Today)");
  assert.equal(days[13], "Thursday, April 11, 2024");
});

test("run() gives a call the same id in every run, and other calls other ids", async () => {
  const [first, second] = [await told("{{call_id}}"), await told("{{call_id}}")];
  assert.match(String(first), /^call_[0-9a-f]{32}$/);
  assert.equal(first, second);
});

test("run() keeps unknown placeholders", async () => {
  const prompt = "{{current_time_Nowhere/Land}} {{session_duration}} {{name}}";
  assert.equal(await told(prompt), prompt);
});

test("run() resolves variables in order: scenario, run, the graph's defaults, the platform", async () => {
  const prompt = "{{user_number}} {{agent_number}}";
  assert.equal(await told(prompt), "+12025550143 +1");
  assert.equal(await told(prompt, { systemVariables: { userNumber: "+7", agentNumber: "+8" } }), "+7 +1");
  assert.equal(await told(prompt, { variables: { user_number: "+2", agent_number: "+3" } }), "+2 +3");
  const given = { user_number: "+4" };
  assert.equal(await told(prompt, { variables: { user_number: "+2", agent_number: "+3" } }, given), "+4 +3");
});

test("run() omits unused platform variables from results", async () => {
  const graph = parseGraph({ entry_node_id: "bye", nodes: { bye: { node_type: "end" } } });
  const report = await run(graph, [{ name: "call", says: ["Hi"], ends: "agent_ended" }], {
    models: { agent: scripted({}) },
    store: false,
    clock: { now },
  });
  assert.deepEqual(report.results[0]?.variables, {});
  assert.equal(report.startedAt, "2024-03-28T23:46:04.000Z");
});
