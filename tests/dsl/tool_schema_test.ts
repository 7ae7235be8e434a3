import assert from "node:assert/strict";
import { test } from "node:test";
import { type } from "arktype";
import * as v from "valibot";
import * as z from "zod";
import { flow, tool } from "../../dsl/mod.ts";
import { toolImplementations } from "../../src/document/graph/mod.ts";

const SCHEMA = {
  type: "object",
  properties: { id: { type: "string" }, count: { type: "number" } },
  required: ["id"],
};
const BASICS = { name: "look_up", description: "Finds an order" };

const TOOLS = {
  Zod: tool({ ...BASICS, parameters: z.object({ id: z.string(), count: z.number().optional() }), execute: readId }),
  ArkType: tool({ ...BASICS, parameters: type({ id: "string", "count?": "number" }), execute: readId }),
  Valibot: tool({
    ...BASICS,
    parameters: v.object({ id: v.string(), count: v.optional(v.number()) }),
    execute: readId,
  }),
};

function readId({ id }: { readonly id: string }): string {
  return `order ${id.trim()}`;
}

for (const [library, lookUp] of Object.entries(TOOLS)) {
  test(`tool() converts a schema of ${library} to JSON Schema and validates arguments with it`, () => {
    const { $schema, additionalProperties, ...parameters } = lookUp.definition.parameters ?? {};
    assert.equal($schema, undefined);
    assert.deepEqual({ ...parameters, required: parameters.required }, SCHEMA);
    const graph = flow("shop", { tools: [lookUp] })
      .function("find", { tool: "look_up" })
      .compile();
    const { look_up: execute } = toolImplementations(graph);
    assert.equal(execute?.({ id: " 7 " }), "order 7");
    assert.throws(() => execute?.({ id: 7 }), {
      code: "tool-arguments",
      message: /^Cannot call tool "look_up": .*id.*/,
    });
  });
}

test("tool() passes parsed arguments to execute()", async () => {
  const parameters = z.object({ id: z.string().transform(async (id) => id.length), count: z.number().default(2) });
  const lookUp = tool({ ...BASICS, parameters, execute: ({ id, count }) => id * count });
  assert.deepEqual(lookUp.definition.parameters?.required, ["id"]);
  assert.equal(await lookUp.execute?.({ id: "seven" }), 10);
});

test("tool() keeps a JSON Schema and passes the model's arguments on", () => {
  const lookUp = tool({
    ...BASICS,
    parameters: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
    execute: ({ id }) => id.toUpperCase(),
  });
  assert.deepEqual(lookUp.definition.parameters, {
    type: "object",
    properties: { id: { type: "string" } },
    required: ["id"],
  });
  assert.equal(lookUp.execute?.({ id: "a" }), "A");
});

test("tool() rejects a schema of a library that does not support JSON Schema", () => {
  const standard = { version: 1, vendor: "acme", validate: (value: unknown) => ({ value }) } as const;
  assert.throws(() => tool({ ...BASICS, parameters: { "~standard": standard } }), {
    code: "no-json-schema",
    path: ["parameters"],
    message: 'Cannot define tool "look_up": its acme schema cannot be converted to JSON Schema',
  });
  assert.throws(() => tool({ ...BASICS, parameters: z.object({ day: z.date() }) }), {
    code: "no-json-schema",
    message:
      /^Cannot define tool "look_up": its zod schema cannot be converted to JSON Schema: Date cannot be represented/,
  });
});
