import assert from "node:assert/strict";
import { test } from "node:test";
import { emit } from "../../../platforms/mod.ts";
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

test("Vapi gets the method and time limit of a request of Retell, and the loss names the rest", () => {
  const settings = { method: "PUT", timeout_ms: 40_000, headers: { "X-Team": "blue" }, speak_after_execution: false };
  const { document, lost } = emitted({ ...REQUEST, metadata: { retell: settings } }, "vapi-squad");
  const [tool] = objectsWith(document, "method");
  assert.deepEqual([tool?.method, tool?.timeoutSeconds], ["PUT", 40]);
  assert.equal(lost.length, 1);
  assert.match(String(lost[0]?.[1]), /headers/);
  assert.doesNotMatch(String(lost[0]?.[1]), /method|timeout|speak/);
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
