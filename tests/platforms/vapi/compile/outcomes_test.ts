import assert from "node:assert/strict";
import { test } from "node:test";
import { importAgent } from "../../../../platforms/mod.ts";
import { emitSquad } from "../../../../platforms/vapi/compile/mod.ts";
import { outcomeSource, outcomeWords } from "../../../../platforms/vapi/compile/plan/outcomes.ts";
import type { JsonObject } from "../../../../src/base/values/mod.ts";
import { fingerprint } from "../../../../src/document/graph/mod.ts";
import { always, graphOf, json, nameOf, records, told } from "./graphs.ts";
import { SquadCall } from "./squads/squad_call.ts";

const outcome = (target: string, value?: "succeeded" | "failed") => ({
  target_node_id: target,
  condition: { type: "tool_call", value: "", ...(value ? { outcome: value } : {}) },
});

/** A graph that routes by the outcome of a booking. */
function booking(
  tool: JsonObject,
  transitions: readonly object[] = [outcome("done", "succeeded"), outcome("sorry", "failed")],
) {
  return graphOf({
    offer: { state_prompt: "Offer the slot.", transitions: [told("book", "Caller accepts")] },
    book: { node_type: "function", tools: [{ name: "book_slot", description: "Books it", ...tool }], transitions },
    done: {},
    sorry: {},
  });
}

function callOf(graph: ReturnType<typeof booking>, answer: { body: unknown } | { error: string }) {
  const call = new SquadCall(json(emitSquad(graph).config), { server: () => answer });
  const tool = (name: string) => {
    const found = call.tools.find((each) => nameOf(each) === name);
    if (!found) throw new TypeError(`no tool "${name}"`);
    return found;
  };
  return { call, tool };
}

const REQUEST = { url: "https://example.com/book", response_variables: { slot: "$.slot" } };

test("the outcome of a request opens its transition; none is open before the request", async () => {
  for (const [answer, way] of [
    [{ body: { slot: "10:30" } }, "done"],
    [{ error: "no such slot" }, "sorry"],
  ] as const) {
    const { call, tool } = callOf(booking(REQUEST), answer);
    assert.deepEqual([...call.ways], [], "the booking cannot be skipped");
    await call.use(tool("book_slot"));
    assert.deepEqual([...call.ways], [way]);
  }
});

test("a failed request does not change variables", async () => {
  const { call, tool } = callOf(booking(REQUEST), { error: "no" });
  call.variables.slot = "9:00";
  await call.use(tool("book_slot"));
  assert.equal(call.variables.slot, "9:00");
});

test("the model can report a function's failure only right after a call that did not succeed", async () => {
  const failing = callOf(booking({}), { error: "timeout" });
  assert.equal(await failing.call.use(failing.tool("book_slot_failed")), "rejected", "nothing was tried yet");
  assert.deepEqual([...failing.call.ways], []);
  await failing.call.use(failing.tool("book_slot"));
  assert.deepEqual([...failing.call.ways], []);
  assert.equal(await failing.call.use(failing.tool("book_slot_failed")), "succeeded");
  assert.deepEqual([...failing.call.ways], ["sorry"]);

  const working = callOf(booking({}), { body: "booked" });
  await working.call.use(working.tool("book_slot"));
  assert.equal(await working.call.use(working.tool("book_slot_failed")), "rejected", "it has succeeded");
  assert.deepEqual([...working.call.ways], ["done"]);
});

test("a function node without transitions on its outcome cannot be skipped either", async () => {
  const { call, tool } = callOf(booking(REQUEST, [always("done")]), { error: "no" });
  assert.deepEqual([...call.ways], []);
  await call.use(tool("book_slot"));
  assert.deepEqual([...call.ways], ["done"]);
});

test("descriptions of handoffs name the tool and its outcome", () => {
  const [member] = records(json(emitSquad(booking(REQUEST)).config), "members");
  const descriptions = records(member?.assistantOverrides, "tools:append").map(
    (tool) => records(tool, "destinations")[0]?.description,
  );
  assert.deepEqual(descriptions, ["Caller accepts, and book_slot succeeded", "Caller accepts, and book_slot failed"]);
});

test("a squad with a code tool for a request is imported as its graph", () => {
  const graph = booking({ ...REQUEST, metadata: { retell: { method: "PUT", timeout_ms: 4000 } } });
  const config = json(emitSquad(graph).config);
  const again = importAgent(config).graph;
  assert.equal(again.nodes.book?.tools[0]?.url, REQUEST.url);
  assert.equal(fingerprint(again), fingerprint(importAgent(json(emitSquad(again).config)).graph));
  assert.equal(JSON.stringify(config).split(REQUEST.url).length, 2, "the address is written once");
});

test("outcomeSource() asks the model where Vapi stores no outcome", () => {
  const sourceOf = (tool: object, raw: object = {}) =>
    outcomeSource({ name: "t", description: "", ...tool, metadata: { vapi: raw } });
  assert.equal(sourceOf({ url: "https://a.example" }), "request");
  assert.equal(sourceOf({}), "noted");
  for (const type of ["apiRequest", "function", "code"]) assert.equal(sourceOf({}, { type }), "noted", type);
  for (const type of ["dtmf", "sms", "query"]) assert.equal(sourceOf({}, { type }), "told", type);
  for (const type of ["dtmf", "press_digit"]) assert.equal(sourceOf({ type }), "told", type);
  assert.equal(sourceOf({ url: "https://a.example" }, { toolId: "saved" }), "told");
  assert.equal(sourceOf({ type: "end_call" }), "ends");
});

test("outcomeWords() names the tools that a transition waits for", () => {
  const tools = ["find", "book"].map((name) => ({ name, description: name }));
  const graph = graphOf({ ask: { tools }, run: { node_type: "function", tools: tools.slice(0, 1) }, bare: {} });
  const words = (id: string, value: string, more: object = {}) => {
    const node = graph.nodes[id];
    assert.ok(node);
    return outcomeWords(node, { target_node_id: "ask", condition: { type: "tool_call", value, ...more } });
  };
  assert.equal(words("ask", "book", { outcome: "failed" }), "book failed");
  assert.equal(words("ask", ""), "find or book was called");
  assert.equal(words("run", "other", { outcome: "succeeded" }), "find succeeded");
  assert.equal(words("bare", ""), "the tool was called");
});
