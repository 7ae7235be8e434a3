import assert from "node:assert/strict";
import { test } from "node:test";
import { importAgent } from "../../../../platforms/mod.ts";
import { emitSquad } from "../../../../platforms/vapi/compile/mod.ts";
import type { JsonObject } from "../../../../src/base/values/mod.ts";
import { at, graphOf, json, memberOf, records } from "./graphs.ts";

/** Emits a node's tools; returns them and the codes of losses. */
function emitted(...tools: readonly JsonObject[]) {
  const { config, losses } = emitSquad(graphOf({ a: { tools } }));
  const member = memberOf(json(config), "a");
  const found = records(member, "assistant", "model", "tools");
  return { found, ids: at(member, "assistant", "model").toolIds, codes: losses.map(({ code }) => code) };
}

test("a tool without a URL becomes a function, one with a URL an API request", () => {
  const { found, codes } = emitted({ name: "one", description: "D" }, { name: "two", url: "https://example.com" });
  assert.deepEqual(
    found.map(({ type }) => type),
    ["function", "apiRequest"],
  );
  assert.deepEqual(codes, []);
});

test("tools that all platforms support keep their type", () => {
  const transfer = {
    name: "transfer_call",
    type: "transfer_call",
    metadata: { retell: { transfer_destination: { number: "+14155550101" } } },
  };
  const { found, codes } = emitted(
    { name: "endCall", type: "end_call" },
    { name: "press_digit", type: "press_digit" },
    transfer,
  );
  assert.deepEqual(
    found.map(({ type }) => type),
    ["endCall", "dtmf", "transferCall"],
  );
  assert.equal(records(found[2], "destinations")[0]?.number, "+14155550101");
  assert.deepEqual(codes, []);
});

test("a tool of an unknown type becomes a function, and is reported", () => {
  const { found, codes } = emitted(
    { name: "m", type: "agent_swap" },
    { name: "k", type: "make", metadata: { vapi: { type: "make" } } },
  );
  assert.deepEqual(
    found.map(({ type }) => type),
    ["function", "function"],
  );
  assert.deepEqual(codes, ["unknown-tool-type", "unknown-tool-type"]);
});

test("a tool that is saved in the organisation is referred to by its id", () => {
  const { found, ids } = emitted({ name: "x", tool_id: "tool-1", metadata: { vapi: { toolId: "tool-1" } } });
  assert.deepEqual([found, ids], [[], ["tool-1"]]);
});

test("a tool in Vapi's older JSON keeps the keys of the current API", () => {
  const raw = {
    type: "apiRequest",
    name: "status",
    method: "GET",
    url: "https://example.com/status",
    mode: "blocking",
    function: { name: "untitled_tool" },
    body: {
      type: "object",
      required: ["id", "day"],
      properties: { id: { type: "string", value: "{{ id }}" }, day: { type: "string", description: "Day" } },
    },
    messages: [{ type: "request-start", content: "One moment." }],
  };
  const { found, codes } = emitted({ name: "status", url: raw.url, metadata: { vapi: raw } });
  assert.deepEqual(found, [
    {
      type: "apiRequest",
      name: "status",
      method: "GET",
      url: raw.url,
      messages: raw.messages,
      body: { type: "object", required: ["day"], properties: { day: { type: "string", description: "Day" } } },
      parameters: [{ key: "id", value: "{{ id }}" }],
    },
  ]);
  assert.deepEqual(codes, ["tool-dropped"]);
});

test("one tool at several nodes of a member is emitted once", () => {
  const look = { name: "look", url: "https://example.com" };
  const next = (target: string) => [{ target_node_id: target, condition: { type: "always", value: "" } }];
  const graph = graphOf({
    a: { tools: [look], transitions: [{ ...next("f")[0], timing: "else" }] },
    f: { node_type: "function", tools: [look], transitions: next("b") },
    b: {},
  });
  const tools = records(memberOf(json(emitSquad(graph).config), "a"), "assistant", "model", "tools");
  assert.equal(tools.length, 1);
});

test("a request keeps another platform's method and timeout, and unsupported settings are reported", () => {
  const make = (settings: JsonObject) => ({ name: "find", url: "https://example.com", metadata: { retell: settings } });
  const { found, codes } = emitted(
    make({ method: "GET", timeout_ms: 5000, speak_after_execution: false, headers: {} }),
  );
  assert.deepEqual([found[0]?.method, found[0]?.timeoutSeconds, codes], ["GET", 5, []]);
  const { losses, config } = emitSquad(
    graphOf({
      a: { tools: [make({ method: "HEAD", timeout_ms: 900_000, lens: { a: 1 } })] },
    }),
  );
  const [tool] = records(memberOf(json(config), "a"), "assistant", "model", "tools");
  assert.deepEqual([tool?.method, tool?.timeoutSeconds], ["POST", undefined]);
  assert.deepEqual(
    losses.map(({ code, kind, path, message }) => [code, kind, path, message]),
    [
      [
        "tool-settings",
        "dropped",
        ["nodes", "a", "tools", 0, "metadata", "retell"],
        'Vapi does not support the tool\'s settings "method", "timeout_ms"',
      ],
    ],
  );
});

test("a squad with tool settings of another platform is imported as its graph", () => {
  const retell = { method: "PUT", timeout_ms: 2500, transfer_destination: { number: "+14155550101" } };
  const graph = graphOf({
    a: {
      tools: [
        { name: "find", description: "", url: "https://example.com", metadata: { retell } },
        { name: "desk", description: "", type: "transfer_call", metadata: { retell } },
      ],
      transitions: [{ target_node_id: "b", condition: { type: "always", value: "" }, timing: "else" }],
    },
    b: { node_type: "logic" },
  });
  const again = importAgent(json(emitSquad(graph).config)).graph;
  assert.equal(again.nodes.b?.node_type, "logic");
  assert.deepEqual(json(emitSquad(again)), { ...json(emitSquad(graph)), losses: json(emitSquad(again)).losses });
});

test("metadata about the layout of another platform's document is not a loss", () => {
  const lens = { retell: { lens: { absent: ["name"] } } };
  assert.deepEqual(emitSquad(graphOf({ a: { metadata: lens } }, { source_metadata: lens })).losses, []);
});

test("headers as plain texts are removed from a request, and reported", () => {
  const make = (headers: JsonObject) => ({
    name: "find",
    url: "https://example.com",
    metadata: { vapi: { type: "apiRequest", url: "https://example.com", method: "GET", headers } },
  });
  const schema = { type: "object", properties: { "X-Day": { type: "string" } } };
  assert.deepEqual(emitted(make(schema)).found[0]?.headers, schema);
  const { found, codes } = emitted(make({ "X-Key": "1" }));
  assert.deepEqual([Object.hasOwn(found[0] ?? {}, "headers"), codes], [false, ["tool-dropped"]]);
});

test("two unnamed tools of a type are both emitted, and imported unchanged", () => {
  const make = (assistantName: string) => {
    const vapi = { type: "handoff", destinations: [{ type: "assistant", assistantName }] };
    return { name: assistantName, description: "", type: "handoff", metadata: { vapi } };
  };
  const graph = graphOf({ a: { tools: [make("Billing"), make("Sales")] } });
  const names = (found: unknown) => JSON.stringify(found).match(/(?<="assistantName":")\w+/g);
  assert.deepEqual(names(emitted(make("Billing"), make("Sales")).found), ["Billing", "Sales"]);
  const { graph: again, findings } = importAgent(json(emitSquad(graph).config));
  assert.deepEqual([names(again.nodes.a?.tools), findings], [["Billing", "Sales"], []]);
});
