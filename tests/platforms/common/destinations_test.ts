import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../platforms/mod.ts";
import { check } from "../../../src/agent/check/mod.ts";
import { isRecord } from "../../../src/base/values/mod.ts";
import { type AgentGraph, parseGraph } from "../../../src/document/graph/mod.ts";

const PLATFORMS = ["retell", "retell-llm", "vapi-squad", "vapi-assistant"] as const;

function desk(owner: object): AgentGraph {
  const condition = { type: "llm_prompt", value: "Caller wants the owner" };
  return parseGraph({
    entry_node_id: "greet",
    nodes: {
      greet: { state_prompt: "Greet.", transitions: [{ target_node_id: "owner", condition }] },
      owner: { node_type: "transfer", ...owner },
    },
  });
}

/** Returns what an emitted document dials: numbers and addresses, without the graph in its metadata. */
function dialled(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(dialled);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    if (key === "callweave") return [];
    return (key === "number" || key === "sipUri") && item !== "" ? [item] : dialled(item);
  });
}

test("emit() dials no number that stands anywhere but in a transfer's destination", () => {
  for (const metadata of [
    { crm: { to: "12345", number: "+14155550101", phone_number: "+14155550102" } },
    { notes: [{ transfer_to: "+14155550103", sipUri: "sip:stranger@acme.test" }] },
    { other: { transfer_destination: { type: "predefined", number: "+14155550104" } } },
  ])
    for (const format of PLATFORMS) {
      const { config, losses } = emit(desk({ metadata }), format);
      assert.deepEqual(dialled(config), [], format);
      const missing = losses.filter(({ code }) => code === "destination-missing");
      assert.deepEqual(
        missing.map(({ path }) => path.join(".")),
        ["nodes.owner"],
        format,
      );
    }
});

test("check() finds a transfer without a destination once, with and without a target", () => {
  const found = (graph: AgentGraph, target?: (typeof PLATFORMS)[number]) =>
    check(graph, target ? { target } : {}).filter(({ code }) => code === "destination-missing");
  for (const target of [undefined, ...PLATFORMS]) {
    const [finding, ...others] = found(desk({}), target);
    assert.deepEqual([finding?.path.slice(0, 2), others], [["nodes", "owner"], []], target);
    assert.equal(finding?.severity, target?.startsWith("retell") ? "error" : "warning", target);
    assert.ok(finding?.hint, target);
    assert.deepEqual(found(desk({ transfer_to: "+14155550100" }), target), [], target);
  }
});

test("a transfer's destination is written on every platform, wherever it is modelled", () => {
  const vapi = { type: "number", number: "+14155550100", extension: "7" };
  for (const owner of [
    { transfer_to: "+14155550100" },
    { metadata: { retell: { transfer_destination: { type: "predefined", number: "+14155550100" } } } },
    { metadata: { vapi: { destination: vapi } } },
    { metadata: { vapi: { destinations: [vapi] } } },
    { metadata: { vapi: { tool: { type: "transferCall", destinations: [vapi] } } } },
    {
      tools: [{ name: "t", type: "transfer_call", metadata: { vapi: { type: "transferCall", destinations: [vapi] } } }],
    },
  ])
    for (const format of PLATFORMS) {
      const { config } = emit(desk(owner), format);
      assert.deepEqual(dialled(config), ["+14155550100"], `${format} ${JSON.stringify(owner)}`);
    }
});

test("numbers of Vapi's transferCall tools are written for Retell; a second destination is a loss", () => {
  const places = ["+14155550100", "+14155550199"].map((number) => ({ type: "number", number }));
  for (const count of [1, 2])
    for (const target of ["retell", "retell-llm"] as const) {
      const tools = [{ type: "transferCall", destinations: places.slice(0, count) }];
      const model = { provider: "openai", model: "gpt-4.1", messages: [{ role: "system", content: "Help." }], tools };
      const { graph } = importAgent({ name: "Desk", firstMessage: "Hello.", model });
      const { config, losses } = emit(graph, target);
      assert.deepEqual(dialled(config), ["+14155550100"], target);
      const left = losses.filter(({ code }) => code === "destination").map(({ message }) => message);
      assert.deepEqual(
        left.map((message) => message.includes("+14155550199")),
        count === 1 ? [] : [true],
      );
    }
});

test("a new transfer of an imported workflow keeps its destination", () => {
  const start = { name: "hi", type: "conversation", prompt: "Greet.", isStart: true };
  const { graph } = importAgent({ name: "Desk", nodes: [start], edges: [] }, { format: "vapi-workflow" });
  const { owner } = desk({ transfer_to: "+14155550100" }).nodes;
  const { config } = emit(parseGraph({ ...graph, nodes: { ...graph.nodes, owner } }), "vapi-workflow");
  assert.deepEqual(dialled(config), ["+14155550100"]);
});

test("a number that is too long for Vapi is left out and named, never shortened", () => {
  const to = `{{${"x".repeat(40)}}}`;
  const { config, losses } = emit(desk({ transfer_to: to }), "vapi-squad");
  assert.deepEqual(dialled(config), []);
  assert.ok(losses.some(({ code, message }) => code === "transfer-destination" && message.includes(to)));
});

test("a destination that is written is no lost setting of the platform that it comes from", () => {
  const number = "+14155550100";
  const retell = { transfer_destination: { type: "predefined", number } };
  const vapi = { destination: { type: "number", number } };
  for (const metadata of [{ retell }, { vapi }, { retell, vapi }, { telnyx: { targets: [{ to: number }] } }])
    for (const format of ["telnyx", "bland", "elevenlabs", "livekit", "pipecat", ...PLATFORMS] as const) {
      const { text, losses } = emit(desk({ metadata }), format);
      assert.ok(text.includes(number), format);
      const settings = losses.filter(({ code }) => code.endsWith("-settings") || code.startsWith("destination"));
      assert.deepEqual(settings, [], `${format} ${Object.keys(metadata)}`);
    }
});

test("all destinations of a transfer are written where a platform takes several, and one is written elsewhere", () => {
  const destinations = ["+14155550100", "+14155550199"].map((number) => ({ type: "number", number }));
  const graph = desk({ metadata: { vapi: { destinations } } });
  const codes = (format: "telnyx" | "bland") =>
    emit(graph, format).losses.flatMap(({ code }) => (/settings|destination/.test(code) ? [code] : []));
  assert.deepEqual([codes("telnyx"), codes("bland")], [[], ["destination"]]);
});
