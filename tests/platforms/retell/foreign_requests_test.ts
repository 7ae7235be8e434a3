import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../platforms/mod.ts";
import { getAt, recordsAt } from "../../../src/base/values/mod.ts";

const fixed = (value: string) => ({ type: "object", properties: { "X-Team": { type: "string", value } } });

/** The tools and losses of a Vapi assistant with one tool, emitted for Retell. */
function emitted(tool: object, format: "retell" | "retell-llm") {
  const model = {
    provider: "openai",
    model: "gpt-4.1",
    messages: [{ role: "system", content: "Help." }],
    tools: [tool],
  };
  const { graph } = importAgent({ name: "Desk", firstMessage: "Hello", model });
  const { config, losses } = emit(graph, format);
  const [written = {}] =
    format === "retell-llm"
      ? recordsAt(config, ["retellLlmData", "states"]).flatMap((state) => recordsAt(state, ["tools"]))
      : recordsAt(config, ["conversationFlow", "nodes"]).flatMap((node) => recordsAt(node, ["tools"]));
  return {
    request: [written.method, written.timeout_ms, written.headers],
    lost: losses.filter(({ code }) => code === "foreign-settings").map(({ path, message }) => [path.slice(2), message]),
  };
}

const REQUEST = { type: "apiRequest", name: "look_up", url: "https://acme.test/orders", method: "PUT" };
const AT = ["tools", 0, "metadata", "vapi"];
const WORDS = 'Retell does not support settings of the tool "look_up": ';

for (const format of ["retell", "retell-llm"] as const) {
  test(`${format}: a request of Vapi keeps its method, time limit and fixed headers`, () => {
    const { request, lost } = emitted({ ...REQUEST, timeoutSeconds: 33, headers: fixed("blue") }, format);
    assert.deepEqual(request, ["PUT", 33_000, { "X-Team": "blue" }]);
    assert.deepEqual(lost, []);
    const server = { url: "https://acme.test", timeoutSeconds: 5, headers: { "X-Desk": "1" } };
    const custom = emitted({ type: "function", function: { name: "look_up" }, server }, format);
    assert.deepEqual(custom, { request: [undefined, 5_000, { "X-Desk": "1" }], lost: [] });
  });

  test(`${format}: settings of a Vapi tool that Retell lacks are losses`, () => {
    const headers = { type: "object", properties: { "X-Team": { type: "string", description: "The team" } } };
    const more = {
      backoffPlan: { type: "fixed", maxRetries: 2 },
      messages: [{ type: "request-start", content: "Wait" }],
    };
    const { request, lost } = emitted({ ...REQUEST, timeoutSeconds: 0.2, headers, ...more }, format);
    assert.deepEqual(request, ["PUT", undefined, undefined]);
    assert.deepEqual(lost, [[AT, `${WORDS}timeoutSeconds, headers, backoffPlan, messages`]]);
    const server = { url: "https://acme.test", secret: "{{key}}" };
    const custom = emitted({ type: "function", async: true, function: { name: "look_up" }, server }, format);
    assert.deepEqual(custom.lost, [[AT, `${WORDS}async, server.secret`]]);
  });
}

test("a method of Retell's own takes precedence over that of Vapi's request", () => {
  const { graph } = importAgent({ name: "Desk", model: { provider: "openai", model: "gpt-4.1", tools: [REQUEST] } });
  const node = Object.values(graph.nodes)[0];
  assert.ok(node);
  const tools = node.tools.map((tool) => ({ ...tool, metadata: { ...tool.metadata, retell: { method: "GET" } } }));
  const { config } = emit({ ...graph, nodes: { [node.id]: { ...node, tools } } }, "retell-llm");
  assert.equal(getAt(config, ["retellLlmData", "states", 0, "tools", 0, "method"]), "GET");
});
