import assert from "node:assert/strict";
import { test } from "node:test";
import { emitSquad } from "../../../../platforms/vapi/compile/mod.ts";
import { evaluateEquation } from "../../../../src/document/expressions/mod.ts";
import { always, at, equal, graphOf, handoffTo, json, memberOf, promptOf, records, told, toolsOf } from "./graphs.ts";
import { isVetoed } from "./liquid.ts";

const codesOf = (graph: ReturnType<typeof graphOf>, options = {}) =>
  emitSquad(graph, options).losses.map(({ code, path }) => `${code} ${path.join(".")}`);

test("emitSquad() gives members unique names of at most 40 characters", () => {
  const long = "a-very-long-node-id-that-goes-on-and-on-and-on";
  const ids = [long, `${long}-again`, long.slice(0, 40), " padded "];
  const graph = graphOf(Object.fromEntries(ids.map((id) => [id, {}])));
  const names = records(json(emitSquad(graph).config), "members").map((member) => String(at(member, "assistant").name));
  assert.ok(names.every((name) => name.length <= 40 && name.trim() === name));
  assert.equal(new Set(names).size, ids.length);
  assert.deepEqual(
    codesOf(graph),
    [ids[0], ids[1], ids[3]].map((id) => `member-renamed nodes.${id}`),
  );
});

test("emitSquad() gives a member's tools unique names that Vapi accepts", () => {
  const long = "x".repeat(80);
  const graph = graphOf({
    a: {
      tools: [{ name: "tö do!" }, { name: "to_b" }],
      transitions: [told("b", "1"), told("b", "2"), told(long, "3")],
    },
    b: {},
    [long]: {},
  });
  const names = toolsOf(memberOf(json(emitSquad(graph).config), "a")).map((tool) => String(at(tool, "function").name));
  assert.ok(names.every((name) => /^[a-zA-Z0-9_-]{1,64}$/.test(name)));
  assert.equal(new Set(names).size, names.length);
  assert.ok(codesOf(graph).includes("tool-renamed nodes.a.tools.0"));
});

test("emitSquad() renames variables that Vapi does not accept, in prompts, aliases and guards", () => {
  const graph = graphOf(
    {
      a: { state_prompt: "Hello {{first-name}}, {{ date }}.", transitions: [equal("b", "first-name", "Ann")] },
      b: {
        node_type: "extract",
        variables_to_extract: [{ name: "date" }, { name: "n".repeat(60) }],
        transitions: [always("a")],
      },
    },
    { source_metadata: { default_dynamic_variables: { "first-name": "Ann" } } },
  );
  const squad = json(emitSquad(graph).config);
  assert.match(promptOf(memberOf(squad, "a")), /Hello \{\{first_name\}\}, \{\{date_\}\}\./);
  assert.deepEqual(at(squad, "membersOverrides", "variableValues"), { first_name: "Ann" });
  const [tool] = records(memberOf(squad, "a"), "assistant", "model", "tools");
  const keys = records(tool, "variableExtractionPlan", "aliases").map(({ key }) => String(key));
  assert.ok(keys.every((key) => /^[a-zA-Z][a-zA-Z0-9_]*$/.test(key) && key.length <= 40));
  assert.equal(codesOf(graph).filter((line) => line.startsWith("variable-renamed")).length, 3);
});

test("emitSquad() truncates texts that are too long for Vapi, and reports it", () => {
  const words = `${"Goodbye. ".repeat(200)}`;
  const graph = graphOf({
    a: { transitions: [told("b", "when ".repeat(400)), told("bye", "x")] },
    b: {},
    bye: { node_type: "end", instruction_type: "static_text", state_prompt: words },
  });
  const member = memberOf(json(emitSquad(graph).config), "a");
  assert.equal(String(at(handoffTo(member, "b"), "function").description).length, 1000);
  const end = toolsOf(member).find(({ type }) => type === "endCall");
  assert.equal(String(records(end, "messages")[0]?.content).length, 1000);
  assert.deepEqual(
    codesOf(graph).filter((line) => line.startsWith("text-clipped")),
    ["text-clipped nodes.a.transitions.0", "text-clipped nodes.a.transitions.1"],
  );
});

test("emitSquad() removes keywords that Vapi's schemas do not support, and reports them", () => {
  const parameters = {
    type: "object",
    additionalProperties: false,
    properties: { size: { type: ["integer", "null"], minimum: 1 }, kind: { enum: ["a", 2] } },
  };
  const graph = graphOf({ a: { tools: [{ name: "order", parameters }] } });
  const { config, losses } = emitSquad(graph);
  const [tool] = records(memberOf(json(config), "a"), "assistant", "model", "tools");
  assert.deepEqual(at(tool, "function", "parameters"), {
    type: "object",
    properties: { size: { type: "integer" }, kind: { type: "string", enum: ["a", "2"] } },
  });
  assert.deepEqual(
    losses.map(({ code, kind }) => [code, kind]),
    [["schema-keyword", "dropped"]],
  );
  assert.match(losses[0]?.message ?? "", /"additionalProperties", "minimum"/);
});

test("emitSquad() reports transitions and tools that depend on the model", () => {
  const graph = graphOf({
    a: { transitions: [equal("a", "x", "1"), equal("fn", "x", "2"), told("out", "x"), always("fn")] },
    fn: { node_type: "function", tools: [{ name: "f" }], transitions: [always("a"), always("out")] },
    out: {
      node_type: "transfer",
      transitions: [{ target_node_id: "a", condition: { type: "tool_call", value: "", outcome: "failed" } }],
    },
  });
  assert.deepEqual(codesOf(graph).sort(), [
    "edge-priority nodes.a.transitions.1",
    "equation-as-trigger nodes.a.transitions.0",
    "equation-as-trigger nodes.a.transitions.1",
    "forced-transition nodes.a.transitions.3",
    "function-execution nodes.fn",
    "self-transition nodes.a.transitions.0",
    "self-transition nodes.a.transitions.1",
    "self-transition nodes.a.transitions.3",
    "transfer-failure-routing nodes.out.transitions.0",
    "unreachable-transition nodes.fn.transitions.1",
  ]);
});

test("every loss has a message, a replacement, and a hint if there is something to change", () => {
  const graph = graphOf({ "node with a name that is much longer than forty": { transitions: [always("b")] }, b: {} });
  for (const { message, instead, hint } of emitSquad(graph).losses)
    for (const part of [message, instead, hint]) assert.match(part ?? "none", /^\S.*[^.]$/s);
});

test("emitSquad() merges chains with contract, and reports the number of nodes and members", () => {
  const graph = graphOf({
    a: { state_prompt: "Ask for a name.", transitions: [told("b", "Name is known")] },
    b: { state_prompt: "Ask for a day.", transitions: [always("c")] },
    c: { state_prompt: "Confirm.", transitions: [told("d", "yes"), told("a", "no")] },
    d: { metadata: { vapi: { voice: { provider: "vapi", voiceId: "Elliot" } } } },
  });
  const { config, losses } = emitSquad(graph, { contract: true });
  const squad = json(config);
  assert.equal(records(squad, "members").length, 2);
  const contracted = losses.find(({ code }) => code === "contracted");
  assert.match(contracted?.message ?? "", /^2 members of 4 nodes/);
  const prompt = promptOf(memberOf(squad, "a"));
  assert.match(prompt, /## Step 1\nAsk for a name\.\nStay with this step until this holds: Name is known;/);
  assert.match(prompt, /## Step 3\nConfirm\./);
  assert.equal(records(handoffTo(memberOf(squad, "a"), "d"), "destinations").length, 1);
  assert.equal(records(json(emitSquad(graph).config), "members").length, 4);
});

test("emitSquad() compares long whole numbers exactly", () => {
  const [smaller, greater] = ["12345678901234567890", "12345678901234567891"];
  const clause = { left: "account", operator: "<", right: greater };
  const condition = { type: "equation", value: "", equations: [clause] };
  const graph = graphOf({ a: { transitions: [{ target_node_id: "b", condition }] }, b: {} });
  const tool = handoffTo(memberOf(json(emitSquad(graph).config), "a"), "b");
  for (const account of [smaller, greater, `000${smaller}`, ` ${smaller} `])
    assert.equal(isVetoed(tool, { account }), !evaluateEquation(clause, { account }));
});

test("emitSquad() reports exactly the transitions to silent nodes that lead to no member", () => {
  const graph = graphOf({
    a: { transitions: [told("fork", "x"), told("stop", "y"), told("b", "z")] },
    fork: { node_type: "logic", transitions: [equal("b", "x", "1"), equal("stop", "x", "2")] },
    stop: { node_type: "logic", transitions: [equal("note", "x", "3")] },
    note: { node_type: "extract", variables_to_extract: [{ name: "x", description: "", type: "string" }] },
    b: {},
  });
  const found = emitSquad(graph).losses.filter(({ code }) => code === "dead-end");
  assert.deepEqual(
    found.map(({ path }) => path.join(".")),
    ["nodes.a.transitions.1", "nodes.fork.transitions.1"],
  );
});

test("emitSquad() renames variables in equations that Liquid does not allow as names", () => {
  const start = { state_prompt: "Plan: {{plan-name}}", transitions: [equal("b", "plan-name", "gold")] };
  const { config, losses } = emitSquad(graphOf({ a: start, b: {} }));
  const member = memberOf(json(config), "a");
  assert.equal(isVetoed(handoffTo(member, "b"), { plan_name: "gold" }), false);
  assert.equal(isVetoed(handoffTo(member, "b"), { plan_name: "tin" }), true);
  assert.match(promptOf(member), /^Plan: \{\{ ?plan_name ?\}\}/);
  assert.ok(losses.some(({ code, path }) => code === "variable-renamed" && path[1] === "plan-name"));
});
