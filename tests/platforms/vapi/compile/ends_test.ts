import assert from "node:assert/strict";
import { test } from "node:test";
import { emitAssistant, emitSquad } from "../../../../platforms/vapi/compile/mod.ts";
import type { JsonObject } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, parseGraph } from "../../../../src/document/graph/mod.ts";
import { fc } from "../../../properties.ts";
import { graphs } from "./generate.ts";
import { always, at, equal, graphOf, json, memberOf, nameOf, promptOf, records, told, toolsOf } from "./graphs.ts";
import { isVetoed } from "./liquid.ts";

const place = (number: string) => ({ retell: { transfer_destination: { type: "predefined", number } } });
const transfer = (number: string) => ({ node_type: "transfer", metadata: place(number) });
const hangUp = { name: "hang_up", description: "Ends the call", type: "end_call" };
const lookUp = { name: "look_up", description: "Finds an order", type: "custom", url: "https://shop.example/orders" };
const bye = { node_type: "end", state_prompt: "Bye!", instruction_type: "static_text" };
const start = (transitions: readonly JsonObject[], more: JsonObject = {}) => ({ transitions, ...more });

const squadOf = (graph: AgentGraph) => json(emitSquad(graph).config);
const kinds = (tools: readonly JsonObject[], type: string) => tools.filter((tool) => tool.type === type);
const names = (squad: JsonObject) => records(squad, "members").map((member) => at(member, "assistant").name);

function places(tools: readonly JsonObject[]): readonly (readonly [unknown, unknown])[] {
  const [only, ...others] = kinds(tools, "transferCall");
  assert.deepEqual(others, []);
  return records(only, "destinations").map(({ number, description }) => [number, description]);
}

test("emitSquad() emits one tool for transfers that the model chooses between, with a destination for each", () => {
  const ways = start([
    told("sales", "Caller wants to buy"),
    told("help", "Caller has a problem"),
    told("desk", "Else"),
  ]);
  const squad = squadOf(
    graphOf({
      a: ways,
      sales: transfer("+14155550101"),
      help: transfer("+14155550102"),
      desk: transfer("+14155550101"),
    }),
  );
  assert.deepEqual(names(squad), ["a"]);
  assert.deepEqual(places(toolsOf(memberOf(squad, "a"))), [
    ["+14155550101", "Caller wants to buy; or: Else"],
    ["+14155550102", "Caller has a problem"],
  ]);
});

test("emitSquad() emits transfers as members if only some of them have a destination", () => {
  const squad = squadOf(
    graphOf({ a: start([told("b", "x"), told("c", "y")]), b: transfer("+14155550101"), c: { node_type: "transfer" } }),
  );
  assert.deepEqual(names(squad), ["a", "b", "c"]);
  assert.deepEqual(places(toolsOf(memberOf(squad, "b"))), [["+14155550101", "You have said your words"]]);
});

test("emitSquad() shares a member's own end tool with its transitions to ends", () => {
  const desk = {
    name: "desk",
    description: "Puts callers through",
    type: "transfer_call",
    metadata: place("+14155550103"),
  };
  const ways = start([told("bye", "Caller is done"), told("sales", "Caller wants to buy")], { tools: [hangUp, desk] });
  const squad = squadOf(graphOf({ a: ways, bye: { node_type: "end" }, sales: transfer("+14155550101") }));
  const tools = toolsOf(memberOf(squad, "a"));
  assert.deepEqual(tools.map(nameOf), ["endCall", "transferCall"]);
  assert.deepEqual(places(tools), [
    ["+14155550103", "Puts callers through"],
    ["+14155550101", "Caller wants to buy"],
  ]);
  assert.match(promptOf(memberOf(squad, "a")), /- Caller is done: call endCall\./);
});

test("emitSquad() emits an end as a member if its text or guard differs from the member's own end tool", () => {
  for (const [way, end] of [
    [told("bye", "Caller is done"), bye],
    [equal("bye", "done", "yes"), { node_type: "end" }],
  ] as const) {
    const squad = squadOf(graphOf({ a: start([way], { tools: [hangUp] }), bye: end }));
    assert.deepEqual(names(squad), ["a", "bye"]);
    assert.deepEqual(toolsOf(memberOf(squad, "a")).map(nameOf), ["endCall", "to_bye"]);
    assert.deepEqual(toolsOf(memberOf(squad, "bye")).map(nameOf), ["endCall"]);
  }
});

test("emitSquad() reports which of a node's own end tools is omitted", () => {
  const raw = (content: string) => ({
    ...hangUp,
    name: content,
    metadata: { vapi: { type: "endCall", messages: [{ type: "request-start", content }] } },
  });
  const twice = emitSquad(graphOf({ a: { tools: [hangUp, { ...hangUp, name: "stop" }] } }));
  assert.deepEqual(toolsOf(memberOf(json(twice.config), "a")).length, 1);
  const renamed = twice.losses.filter(({ code }) => code === "tool-renamed");
  assert.deepEqual(
    renamed.map(({ path }) => path.at(-1)),
    [0, 1],
  );
  const { config, losses } = emitSquad(graphOf({ a: { tools: [raw("Bye"), raw("Ciao")] } }));
  assert.deepEqual(toolsOf(memberOf(json(config), "a")).map(nameOf), ["endCall"]);
  assert.deepEqual(
    losses.filter(({ code }) => code === "tool-dropped").map(({ path }) => path),
    [["nodes", "a", "tools", 1]],
  );
});

test("emitSquad() emits only the transfer tool for a transfer member", () => {
  const failed = { target_node_id: "b", condition: { type: "tool_call", value: "", outcome: "failed" } };
  const graph = graphOf({ a: { ...transfer("+14155550101"), transitions: [failed] }, b: {} });
  assert.deepEqual(toolsOf(memberOf(squadOf(graph), "a")).map(nameOf), ["transferCall"]);
});

test("emitAssistant() emits each tool of a single node once", () => {
  const graph = graphOf({ a: start([told("bye", "Caller is done")], { tools: [lookUp] }), bye: { node_type: "end" } });
  assert.deepEqual(records(json(emitAssistant(graph).config), "model", "tools").map(nameOf), ["look_up", "endCall"]);
});

test("emitAssistant() lets either the tool or the model speak the static text of an end", () => {
  const steps = { a: start([told("b", "x"), told("bye", "y")]), b: start([told("bye", "z")]), bye };
  const spoken = emitAssistant(graphOf(steps));
  const [end] = kinds(records(json(spoken.config), "model", "tools"), "endCall");
  assert.equal(records(end, "messages")[0]?.content, "Bye!");
  assert.doesNotMatch(String(records(json(spoken.config), "model", "messages")[0]?.content), /Bye!/);
  assert.deepEqual(
    spoken.losses.map(({ code }) => code),
    ["steps-in-prompt"],
  );
  const other = emitAssistant(
    graphOf({ ...steps, b: start([told("ciao", "z")]), ciao: { ...bye, state_prompt: "Ciao!" } }),
  );
  assert.match(String(records(json(other.config), "model", "messages")[0]?.content), /say exactly: Ciao!/);
  assert.deepEqual(
    other.losses.filter(({ code }) => code === "fixed-words").map(({ path }) => path[1]),
    ["bye", "ciao"],
  );
});

test("emitAssistant() lists every condition for a transfer, and the tool speaks its static text", () => {
  const desk = { ...transfer("+14155550101"), state_prompt: "One moment.", instruction_type: "static_text" };
  const steps = { a: start([told("b", "x"), told("desk", "Wants help")]), b: start([told("desk", "Is angry")]), desk };
  const { config, losses } = emitAssistant(graphOf(steps));
  const tools = records(json(config), "model", "tools");
  assert.deepEqual(places(tools), [["+14155550101", "Wants help; or: Is angry"]]);
  assert.equal(records(kinds(tools, "transferCall")[0], "messages")[0]?.content, "One moment.");
  assert.doesNotMatch(String(records(json(config), "model", "messages")[0]?.content), /One moment/);
  assert.deepEqual(
    losses.map(({ code }) => code),
    ["steps-in-prompt"],
  );
});

test("emitAssistant() keeps the position of an end tool among a node's own tools", () => {
  const tools = [hangUp, lookUp];
  const graph = graphOf({ a: start([told("b", "x"), told("bye", "y")], { tools }), b: {}, bye: { node_type: "end" } });
  const emitted = records(json(emitAssistant(graph).config), "model", "tools").map(nameOf);
  assert.deepEqual(emitted, ["endCall", "look_up", "to_b_from_a"]);
});

test("emitAssistant() accepts the shared end tool at steps with their own end tool and at routes to ends", () => {
  const graph = graphOf({
    a: start([told("b", "x")], { tools: [hangUp] }),
    b: start([told("c", "x")]),
    c: start([told("bye", "x")]),
    bye: { node_type: "end" },
  });
  const tools = kinds(records(json(emitAssistant(graph).config), "model", "tools"), "endCall");
  assert.equal(tools.length, 1);
  const open = ["a", "b", "c"].filter((step) => !isVetoed(tools[0] ?? {}, { step }));
  assert.deepEqual(open, ["a", "c"]);
});

test("no assistant has two tools of which Vapi would keep only one", () => {
  const own = fc.array(
    fc.constantFrom<JsonObject>(hangUp, lookUp, { name: "x", type: "transfer_call" }, { ...hangUp, name: "stop" }),
    { maxLength: 3 },
  );
  fc.assert(
    fc.property(graphs, own, fc.boolean(), (drawn, tools, contract) => {
      const nodes = Object.entries(drawn.nodes).map(([id, node]) => [
        id,
        { ...node, tools: [...node.tools, ...tools] },
      ]);
      const graph = parseGraph(json({ ...drawn, nodes: Object.fromEntries(nodes) }));
      const squad = json(emitSquad(graph, { contract }).config);
      const alone = records(json(emitAssistant(graph, { contract }).config), "model", "tools");
      for (const list of [...records(squad, "members").map(toolsOf), alone])
        assert.equal(new Set(list.map(nameOf)).size, list.length, list.map(nameOf).join());
    }),
    { numRuns: 150 },
  );
});

test("emitSquad() keeps handoffs and ends of the same node apart", () => {
  const graph = graphOf({ a: start([always("bye", "else"), told("b", "x")]), b: {}, bye });
  const member = memberOf(squadOf(graph), "a");
  assert.deepEqual(toolsOf(member).map(nameOf), ["to_b", "endCall"]);
});
