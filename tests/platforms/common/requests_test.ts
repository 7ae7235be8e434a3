import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../platforms/mod.ts";
import { isRecord } from "../../../src/base/values/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";

/** Every object of a document that has a key. */
function objectsWith(value: unknown, key: string): readonly { readonly [key: string]: unknown }[] {
  if (Array.isArray(value)) return value.flatMap((item) => objectsWith(item, key));
  if (!isRecord(value)) return [];
  const inner = Object.values(value).flatMap((item) => objectsWith(item, key));
  return Object.hasOwn(value, key) ? [value, ...inner] : inner;
}

function emitted(tool: object, format: "retell" | "vapi-squad") {
  const graph = parseGraph({
    entry_node_id: "ask",
    source_type: "custom",
    nodes: { ask: { node_type: "conversation", state_prompt: "Help.", tools: [{ description: "", ...tool }] } },
  });
  const { config, losses } = emit(graph, format);
  const lost = losses
    .filter(({ path }) => path.includes("metadata"))
    .map(({ path, message }) => [path.at(-1), message]);
  return { document: config, lost };
}

const REQUEST = { name: "look_up", url: "https://acme.test/orders" };

test("Vapi gets method, time limit and headers of a request of Retell, and the loss names the rest", () => {
  const settings = { method: "PUT", timeout_ms: 20_000, headers: { "X-Team": "blue" }, speak_after_execution: false };
  const { document, lost } = emitted({ ...REQUEST, metadata: { retell: settings } }, "vapi-squad");
  const [tool] = objectsWith(document, "environmentVariables");
  assert.match(String(tool?.code), /method: "PUT",\n {4}headers: .*"X-Team": env\.HEADER_1 \}/);
  assert.match(String(tool?.code), /AbortSignal\.timeout\(20000\)/);
  assert.deepEqual(tool?.environmentVariables, [
    { name: "URL", value: REQUEST.url },
    { name: "HEADER_1", value: "blue" },
  ]);
  // the model cannot be asked to choose them, and metadata goes wherever Vapi sends the assistant
  assert.equal(JSON.stringify(document).split("blue").length, 2);
  assert.deepEqual(lost, []);

  // import and emit again: the same; and back at Retell: the same request
  const again = importAgent(JSON.stringify(document)).graph;
  assert.deepEqual(emit(again, "vapi-squad").config, document);
  const [back] = objectsWith(emit(again, "retell").config, "headers");
  assert.deepEqual([back?.method, back?.timeout_ms, back?.headers], ["PUT", 20_000, { "X-Team": "blue" }]);
});

test("a time limit that a tool with code cannot have is a loss", () => {
  const settings = { timeout_ms: 209_000, headers: { "X-Team": "blue" } };
  const nodes = {
    ask: { state_prompt: "Help.", tools: [{ ...REQUEST, description: "", metadata: { retell: settings } }] },
  };
  const { losses } = emit(parseGraph({ entry_node_id: "ask", source_type: "custom", nodes }), "vapi-squad");
  assert.deepEqual(
    losses.map(({ code, path }) => [code, path]),
    [["tool-timeout", ["nodes", "ask", "tools", 0]]],
  );
});

test("settings of no known platform are no requests: they are losses", () => {
  const { document, lost } = emitted({ ...REQUEST, metadata: { other: { method: "PUT" } } }, "vapi-squad");
  assert.equal(objectsWith(document, "method")[0]?.method, "POST");
  assert.match(String(lost[0]?.[1]), /method/);
});

test("where a tool transfers to is read, and is no loss of settings", () => {
  const destination = { type: "number", number: "+14155550101" };
  const transfer = { name: "desk", type: "transfer_call" };
  const toRetell = emitted({ ...transfer, metadata: { vapi: { destination } } }, "retell");
  assert.equal(objectsWith(toRetell.document, "number")[0]?.number, "+14155550101");
  assert.deepEqual(toRetell.lost, []);
  const { document, lost } = emitted(
    { ...transfer, metadata: { retell: { transfer_destination: { type: "predefined", number: "+14155550101" } } } },
    "vapi-squad",
  );
  assert.equal(objectsWith(document, "number")[0]?.number, "+14155550101");
  assert.deepEqual(lost, []);
});
