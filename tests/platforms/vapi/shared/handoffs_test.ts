import assert from "node:assert/strict";
import { test } from "node:test";
import { vapiSquad } from "../../../../platforms/vapi/squad/mod.ts";
import { getAt } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, parseGraph } from "../../../../src/document/graph/mod.ts";
import { emitted, imported, plain } from "./lens.ts";

const NUMBER = { type: "number", number: "+15550100" };
const toSales = { type: "assistant", assistantName: "Sales", description: "Caller buys" };
const toNight = { type: "assistant", assistantName: "Night line", description: "The desk is closed" };
const function_ = (name: string) => ({ type: "function", function: { name, description: `Does ${name}` } });
const handoff = (...destinations: readonly object[]) => ({ type: "handoff", destinations });

/** A squad of "Desk", with these tools, and "Sales". */
function squad(tools: readonly unknown[], more: object = {}) {
  const member = (name: string, own: readonly unknown[]) => ({
    assistant: { name, model: { provider: "openai", model: "gpt-4.1", messages: [], tools: own } },
  });
  return { name: "Shop", members: [member("Desk", tools), member("Sales", [])], ...more };
}

const desk = (graph: AgentGraph) => graph.nodes.Desk ?? assert.fail();
const targets = (graph: AgentGraph) => desk(graph).transitions.map(({ target_node_id: target }) => target);
const toolsOf = (config: unknown) => getAt(config, ["members", 0, "assistant", "model", "tools"]);

/** Changes the node "Desk" and emits the squad. */
function changed(document: object, change: (node: ReturnType<typeof desk>) => object) {
  const graph = imported(vapiSquad, document);
  const node = plain(desk(graph));
  const { config } = emitted(
    vapiSquad,
    parseGraph({ ...graph, nodes: { ...graph.nodes, Desk: { ...node, ...change(node) } } }),
  );
  return plain(config);
}

test("a transferCall is a handoff only if all of its destinations are members", () => {
  const cases: readonly (readonly [tool: object, targets: readonly string[], tools: number])[] = [
    [{ type: "transferCall", destinations: [toSales] }, ["Sales"], 0],
    [{ type: "transferCall", destinations: [{ assistantName: "Sales" }] }, ["Sales"], 0],
    [{ type: "transferCall", destinations: [toSales, NUMBER] }, ["transfer_call"], 0],
    [{ type: "transferCall", destinations: [toNight] }, ["transfer_call"], 0],
    [{ type: "handoff", destinations: [toSales, toNight] }, ["Sales"], 0],
    [{ type: "handoff", destinations: [toNight] }, [], 1],
    [{ type: "handoff", destinations: [{ ...toSales, type: "squad" }] }, [], 1],
    [{ type: "handoff", destinations: "later" }, [], 1],
    [{ ...function_("look"), destinations: [toSales] }, [], 1],
  ];
  for (const [tool, expected, tools] of cases) {
    const graph = imported(vapiSquad, squad([tool]));
    assert.deepEqual([targets(graph), desk(graph).tools.length], [expected, tools], JSON.stringify(tool));
    assert.deepEqual(plain(emitted(vapiSquad, graph).config), squad([tool]));
  }
});

test("a handoff keeps its destinations outside of the squad when a transition is edited or removed", () => {
  const document = squad([handoff(toNight, toSales)]);
  const edited = changed(document, ({ transitions: [first] }) => ({
    transitions: [{ ...first, condition: { type: "llm_prompt", value: "Caller rents" } }],
  }));
  assert.deepEqual(edited, squad([handoff(toNight, { ...toSales, description: "Caller rents" })]));
  const removed = changed(document, () => ({ transitions: [] }));
  assert.deepEqual(removed, squad([handoff(toNight)]));
});

test("tools, ends and handoffs of one list keep their places when one of them is edited, added or removed", () => {
  const list = [function_("first"), handoff(toSales), { type: "endCall" }, function_("second"), { type: "dtmf" }];
  const document = squad(list);
  const described = changed(document, ({ tools: [first, ...others] }) => ({
    tools: [{ ...first, description: "Does more" }, ...others],
  }));
  const more = { type: "function", function: { name: "first", description: "Does more" } };
  assert.deepEqual(toolsOf(described), [more, ...list.slice(1)]);
  const removed = changed(document, ({ tools: [, ...others] }) => ({ tools: others }));
  assert.deepEqual(toolsOf(removed), list.slice(1));
  const swapped = changed(document, ({ tools: [first, second, ...others] }) => ({ tools: [second, first, ...others] }));
  assert.deepEqual(toolsOf(swapped), [function_("second"), ...list.slice(1, 3), function_("first"), { type: "dtmf" }]);
  const alone = changed(document, ({ transitions }) => ({
    transitions: transitions.filter(({ target_node_id: target }) => target !== "Sales"),
  }));
  assert.deepEqual(
    toolsOf(alone),
    list.filter((_, index) => index !== 1),
  );
});

test("handoffs that every member has are read from both spellings of the overrides, and from both lists", () => {
  const tool = handoff(toSales);
  for (const key of ["membersOverrides", "memberOverrides"])
    for (const overrides of [{ "tools:append": [tool] }, { model: { tools: [tool] } }]) {
      const document = squad([], { [key]: overrides });
      const graph = imported(vapiSquad, document);
      assert.equal(graph.nodes.Sales?.global_node_setting?.condition, "Caller buys");
      assert.deepEqual(plain(emitted(vapiSquad, graph).config), document);
      const { global_node_setting: _, ...node } = graph.nodes.Sales ?? assert.fail();
      const { config } = emitted(vapiSquad, { ...graph, nodes: { ...graph.nodes, Sales: node } });
      const left = plain(getAt(config, [key]));
      assert.ok(!JSON.stringify(left ?? {}).includes("Sales"), JSON.stringify(left));
    }
});

test("a handoff to several members, or with another description than its destination, is no global node", () => {
  const toDesk = { type: "assistant", assistantName: "Desk", description: "Caller is lost" };
  const told = { ...handoff(toSales), function: { name: "sell", description: "Ask before" } };
  for (const tool of [handoff(toSales, toDesk), handoff(toSales, toNight), told]) {
    const document = squad([], { membersOverrides: { "tools:append": [tool] } });
    const graph = imported(vapiSquad, document);
    assert.ok(
      Object.values(graph.nodes).every((node) => !node.global_node_setting),
      JSON.stringify(tool),
    );
    assert.deepEqual(plain(emitted(vapiSquad, graph).config), document);
  }
});

test("only aliases of a key and a path become variables; the others stay in the tool", () => {
  const path = { key: "status", value: "{{$.status}}" };
  const others = [
    { key: "total", value: "{{ $.total | round }}" },
    { key: "note", value: "{{$.note}}", description: "With more keys" },
    { key: "7", value: "{{$.seven}}" },
    "not an alias",
  ];
  const tool = { ...function_("look"), variableExtractionPlan: { aliases: [others[0], path, ...others.slice(1)] } };
  const graph = imported(vapiSquad, squad([tool]));
  assert.deepEqual(desk(graph).tools[0]?.response_variables, { status: "$.status" });
  assert.deepEqual(plain(emitted(vapiSquad, graph).config), squad([tool]));
  const renamed = changed(squad([tool]), ({ tools: [first] }) => ({
    tools: [{ ...first, response_variables: { state: "$.status" } }],
  }));
  const aliases = [others[0], { ...path, key: "state" }, ...others.slice(1)];
  assert.deepEqual(getAt(toolsOf(renamed), [0, "variableExtractionPlan", "aliases"]), aliases);
});
