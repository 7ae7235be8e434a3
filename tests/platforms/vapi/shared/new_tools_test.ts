import assert from "node:assert/strict";
import { test } from "node:test";
import { vapiSquad } from "../../../../platforms/vapi/squad/mod.ts";
import { setAt } from "../../../../src/base/values/mod.ts";
import { parseGraph } from "../../../../src/document/graph/mod.ts";
import { emitted, imported, plain } from "./lens.ts";

const TOOL = {
  type: "function",
  function: { name: "find", description: "Find" },
  server: { url: "https://a.example" },
};

/** The member that is emitted when the first tool is added to its node. */
function withTool(assistant: object): unknown {
  const graph = imported(vapiSquad, { members: [{ assistant: { name: "Desk", ...assistant } }] });
  const tools = [{ name: "find", type: "function", description: "Find", url: "https://a.example" }];
  return plain(emitted(vapiSquad, parseGraph(setAt({ ...plain(graph) }, ["nodes", "Desk", "tools"], tools))).config);
}

test("emit() writes the first tool of a member beside its model", () => {
  const model = { provider: "openai", model: "gpt-4.1" };
  assert.deepEqual(withTool({ model }), {
    members: [{ assistant: { name: "Desk", model: { ...model, tools: [TOOL] } } }],
  });
});

test("emit() writes the first tool of a member without a model into a new one", () => {
  assert.deepEqual(withTool({}), { members: [{ assistant: { name: "Desk", model: { tools: [TOOL] } } }] });
});

test("emit() writes the first tool of a member into its assistant if the model is null", () => {
  assert.deepEqual(withTool({ model: null }), {
    members: [{ assistant: { name: "Desk", model: null, tools: [TOOL] } }],
  });
});
