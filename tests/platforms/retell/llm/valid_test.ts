import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { Ajv } from "ajv";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { PlatformError } from "../../../../src/base/errors.ts";
import { isRecord, type JsonObject, madeOnce } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, parseGraph } from "../../../../src/document/graph/mod.ts";
import { fc } from "../../../properties.ts";
import { PUBLISHED_SCHEMAS } from "../../published_schemas.ts";

const SHARED = new URL("../../../../../shared/", import.meta.url);
const SCHEMA = new URL("platforms/retell.schema.json", SHARED);

/** Validates against the SDK's create parameters, with any model names. Compiled once. */
const validator = madeOnce((): ((document: unknown) => string | undefined) => {
  const schema: { definitions: { [name: string]: JsonObject } } = JSON.parse(readFileSync(SCHEMA, "utf8"));
  const root = schema.definitions.LlmCreateParams;
  assert.ok(root && isRecord(root.properties));
  const open = { ...root, properties: { ...root.properties, model: {}, s2s_model: {} } };
  const ajv = new Ajv(PUBLISHED_SCHEMAS);
  const definitions = { ...schema.definitions, LlmCreateParams: open };
  const validate = ajv.compile({ $ref: "#/definitions/LlmCreateParams", definitions });
  return (document) => (validate(document) ? undefined : JSON.stringify(validate.errors?.[0]));
});

function bodyOf(graph: AgentGraph): unknown {
  const { config } = emit(graph, "retell-llm");
  const saved: unknown = JSON.parse(JSON.stringify(config));
  return isRecord(saved) && isRecord(saved.retellLlmData) ? saved.retellLlmData : saved;
}

const condition = fc.oneof(
  fc.record({ type: fc.constant("llm_prompt"), value: fc.string() }),
  fc.record({ type: fc.constant("always") }),
  fc.record({ type: fc.constant("tool_call"), outcome: fc.constantFrom("succeeded", "failed") }),
  fc.record({
    type: fc.constant("equation"),
    equations: fc.array(
      fc.record({ left: fc.string(), operator: fc.constantFrom("==", "exists", ">"), right: fc.integer() }),
    ),
    logical_operator: fc.constantFrom("and", "or"),
  }),
);
const tool = fc.record(
  {
    name: fc.string(),
    description: fc.string(),
    type: fc.constantFrom(
      "custom",
      "send_sms",
      "end_call",
      "transfer_call",
      "mcp",
      "code",
      "book_appointment_cal",
      "odd",
    ),
    url: fc.webAddress(),
    parameters: fc.constantFrom({}, { type: "object" }, { type: "object", properties: {}, required: "all" }),
    metadata: fc.constantFrom({}, { retell: { headers: { a: "b" } } }, { vapi: { server: {} } }),
  },
  { requiredKeys: ["name"] },
);
const IDS = ["a", "b c", "d", "__proto__", "e"];
const node = fc.record(
  {
    node_type: fc.constantFrom("conversation", "logic", "extract", "function", "end", "transfer"),
    state_prompt: fc.string(),
    instruction_type: fc.constantFrom("prompt", "static_text", null),
    tools: fc.array(tool, { maxLength: 2 }),
    transitions: fc.array(fc.record({ target_node_id: fc.constantFrom(...IDS), condition }), { maxLength: 3 }),
    variables_to_extract: fc.array(
      fc.record({
        name: fc.string(),
        type: fc.constantFrom("string", "number", "boolean", "enum", "odd"),
        choices: fc.constantFrom([], ["x"], null),
      }),
      { maxLength: 2 },
    ),
    global_node_setting: fc.constantFrom(
      null,
      { condition: "Help" },
      { condition: "H", go_back_conditions: [{ condition: { type: "llm_prompt", value: "Back" } }] },
    ),
  },
  { requiredKeys: ["node_type"] },
);

test("emit() writes any graph as an LLM that matches the SDK's types", (t) => {
  if (!existsSync(SCHEMA)) return t.skip("shared/platforms is not here");
  const faultIn = validator();
  fc.assert(
    fc.property(fc.tuple(...IDS.map(() => node)), fc.constantFrom(null, "openai/gpt-4.1"), (nodes, default_model) => {
      const graph = parseGraph({
        entry_node_id: "a",
        nodes: Object.fromEntries(IDS.map((id, index) => [id, nodes[index]])),
        source_metadata: { begin_message: "", default_dynamic_variables: { n: 1, o: {} } },
        default_model,
      });
      assert.equal(faultIn(bodyOf(graph)), undefined);
    }),
    { numRuns: 200 },
  );
});

test("emit() writes every third-party document as an LLM that matches the SDK's types", (t) => {
  if (!existsSync(SCHEMA)) return t.skip("shared/platforms is not here");
  const faultIn = validator();
  let count = 0;
  for (const folder of ["retell", "vapi", "voicetest/retell", "voicetest/vapi"].map(
    (name) => new URL(`corpus/${name}/`, SHARED),
  ))
    for (const file of fc.someOf(readdirSync(folder).filter((name) => name.endsWith(".json")))) {
      try {
        const { graph, format } = importAgent(readFileSync(new URL(file, folder), "utf8"));
        if (format === "retell-llm") continue; // emitted unchanged, valid or not
        assert.equal(faultIn(bodyOf(graph)), undefined, file);
        count++;
      } catch (error) {
        if (!(error instanceof PlatformError)) throw error; // not an agent, which other tests cover
      }
    }
  assert.ok(count > fc.sampled(30));
});
