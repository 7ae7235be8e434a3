import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { assistantLikeness, holdsOnlyTools, squadLikeness } from "../../../../platforms/vapi/shared/document.ts";

const near = (value: number) => Math.round(value * 100) / 100;

test("the more of an assistant's keys an object has, the more likely it is one; model and opening count most", () => {
  const scores: readonly (readonly [object: object, likeness: number])[] = [
    [{}, 0],
    [{ name: "Desk" }, 0],
    [{ silenceTimeoutSeconds: 20 }, 0.3],
    [{ silenceTimeoutSeconds: 20, endCallPhrases: ["bye"] }, 0.4],
    [{ firstMessage: "Hello" }, 0.6],
    [{ firstMessageMode: "assistant-speaks-first" }, 0.6],
    [{ model: { provider: "openai" } }, 0.6],
    [{ model: { provider: "openai" }, firstMessage: "Hello", silenceTimeoutSeconds: 20 }, 0.8],
    [{ voice: { voiceId: "ada" } }, 0.3],
    // keys with values of another type, and parts without a known key, do not count
    [{ firstMessage: 7, silenceTimeoutSeconds: "20", model: { name: "gpt" }, voice: "ada" }, 0],
  ];
  for (const [object, likeness] of scores)
    assert.equal(near(assistantLikeness({ ...object })), likeness, JSON.stringify(object));
  for (const key of ["members", "nodes", "edges", "squad", "workflow", "states", "response_engine", "general_prompt"])
    assert.equal(assistantLikeness({ firstMessage: "Hello", [key]: [] }), 0, key);
});

test("an object is the likelier a squad, the more of its members have an assistant", () => {
  const member = { assistantId: "a" };
  const scores: readonly (readonly [object: object, likeness: number])[] = [
    [{ members: [member, { assistant: {} }] }, 0.95],
    [{ members: [member, {}] }, 0.48],
    [{ members: [member, {}, {}, {}] }, 0.4],
    [{ members: [] }, 0.3],
    [{ members: [{}, { name: "x" }] }, 0],
    [{ members: "none" }, 0],
    [{ members: [member], nodes: [] }, 0],
  ];
  for (const [object, likeness] of scores)
    assert.equal(near(squadLikeness({ ...object })), likeness, JSON.stringify(object));
});

test("a document of tools alone is one tool, a list of tools, or tools by name", () => {
  const tool = { type: "function", function: { name: "look" } };
  const other = { type: "handoff", destinations: [] };
  for (const document of [tool, [tool, other], { tools: [tool] }, { tools: { look: tool, other } }])
    assert.ok(holdsOnlyTools(document), JSON.stringify(document));
  for (const document of [
    ...[{}, [], "tool", { tools: [] }, { tools: {} }, { tools: "look" }, { type: "function" }],
    ...[[tool, {}], { tools: [tool, {}] }, { tools: { look: tool, other: {} } }, { tools: [tool], nodes: [] }],
  ])
    assert.ok(!holdsOnlyTools(document), JSON.stringify(document));
});

test("the overrides of a call take precedence over the assistant beside them, and both are written back", () => {
  const assistant = { firstMessage: "Hello", model: { provider: "openai", model: "gpt-4.1" } };
  const overrides = { firstMessage: "Hi {{caller}}", variableValues: { caller: "you" } };
  const openingOf = (document: unknown) => {
    const { graph, format } = importAgent(structuredClone(document), { format: "vapi-assistant" });
    assert.deepEqual(emit(graph, format).config, document);
    return [graph.source_metadata.begin_message, graph.source_metadata.default_dynamic_variables];
  };
  assert.deepEqual(openingOf({ assistant, assistantOverrides: overrides }), ["Hi {{caller}}", { caller: "you" }]);
  // these are not the overrides of a call
  assert.deepEqual(openingOf({ data: assistant, assistantOverrides: overrides }), ["Hello", undefined]);
});
