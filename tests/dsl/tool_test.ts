import assert from "node:assert/strict";
import { test } from "node:test";
import * as v from "valibot";
import { flow, tool } from "../../dsl/mod.ts";
import { toolImplementations } from "../../src/document/graph/mod.ts";

const parameters = v.object({
  number: v.pipe(v.string(), v.description("As printed")),
  express: v.optional(v.boolean()),
});

test("tool() converts a valibot schema to JSON Schema", () => {
  const { definition } = tool({ name: "find", description: "Finds an order", parameters, url: "https://example.com" });
  assert.deepEqual(definition, {
    name: "find",
    description: "Finds an order",
    parameters: {
      type: "object",
      properties: { number: { type: "string", description: "As printed" }, express: { type: "boolean" } },
      required: ["number"],
    },
    type: "custom",
    url: "https://example.com",
  });
});

test("tool() keeps a JSON Schema as it is", () => {
  const schema = { type: "object", properties: { id: { type: "integer" } } };
  assert.deepEqual(tool({ name: "find", description: "", parameters: schema }).definition.parameters, schema);
});

test("toolImplementations() returns the functions of a graph's tools", async () => {
  const find = tool({
    name: "find",
    description: "Finds an order",
    parameters,
    responseVariables: { order_status: "$.status" },
    execute: async ({ number }) => ({ status: `sent ${number.length}` }),
  });
  const silent = tool({ name: "silent", description: "Has no implementation" });
  const graph = flow("shop", { tools: [find, silent] })
    .function("look", { tool: "find", next: ({ to }) => [to("bye")] })
    .end("bye", { prompt: "Say that the order is {{order_status}}" })
    .compile();

  const tools = toolImplementations(graph);
  assert.deepEqual(Object.keys(tools), ["find"]);
  assert.deepEqual(await tools.find?.({ number: "123" }), { status: "sent 3" });
  assert.deepEqual(graph.nodes.look?.tools[0]?.response_variables, { order_status: "$.status" });
  assert.equal(JSON.stringify(graph).includes("execute"), false);
});

test("a tool rejects arguments that its valibot schema rejects", () => {
  const find = tool({ name: "find", description: "", parameters, execute: () => "found" });
  assert.throws(() => find.execute?.({ number: 3 }), /Expected string/);
});
