import { existsSync, readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { isRecord, type JsonObject, recordAt } from "../../../../src/base/values/mod.ts";

const FILE = new URL("../../../../../shared/platforms/elevenlabs.openapi.json", import.meta.url);

/** Whether the vendor's document is here. */
export const hasSchema = existsSync(FILE);

const position = { $ref: "#/components/schemas/Position-Input" };
const edge_order = { type: "array", items: { type: "string" } };
const common = { position, edge_order, label: { type: "string" } };

/** Nodes of the vendor's SDK 2.73, which its OpenAPI document of August 2026 does not have. */
const NEWER = [
  {
    type: "object",
    required: ["type", "label", "message"],
    properties: {
      ...common,
      type: { const: "say" },
      wait_for_user_response: { type: "boolean" },
      message: {
        anyOf: [
          {
            type: "object",
            required: ["type", "text"],
            properties: { type: { const: "literal" }, text: { type: "string" } },
          },
          {
            type: "object",
            required: ["type", "prompt"],
            properties: { type: { const: "prompt" }, prompt: { type: "string" } },
          },
        ],
      },
    },
  },
  {
    type: "object",
    required: ["type", "label", "updates"],
    properties: {
      ...common,
      type: { const: "update_state" },
      updates: {
        type: "array",
        maxItems: 50,
        items: {
          type: "object",
          required: ["type", "variable_name", "expression"],
          properties: {
            type: { const: "dynamic_variable" },
            variable_name: { type: "string" },
            expression: { $ref: "#/components/schemas/ASTNode-Input" },
            required: { type: "boolean" },
          },
        },
      },
    },
  },
];

/** Alternatives overlap in the published document, and formats are no concern of JSON Schema here. */
function loosened(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(loosened);
  if (!isRecord(schema)) return schema;
  const { oneOf, discriminator: _, ...rest } = schema;
  const entries = Object.entries({ ...rest, ...(oneOf ? { anyOf: oneOf } : {}) }).map(([key, each]) => [
    key,
    loosened(each),
  ]);
  return Object.fromEntries(entries);
}

function document(): JsonObject {
  const loaded: unknown = loosened(JSON.parse(readFileSync(FILE, "utf8")));
  const schemas = recordAt(recordAt(isRecord(loaded) ? loaded : {}, "components"), "schemas");
  const model = recordAt(schemas, "AgentWorkflowRequestModel");
  const properties = recordAt(model, "properties");
  const nodes = recordAt(properties, "nodes");
  const { anyOf } = recordAt(nodes, "additionalProperties");
  const all = { ...nodes, additionalProperties: { anyOf: [...(Array.isArray(anyOf) ? anyOf : []), ...NEWER] } };
  return {
    $id: "elevenlabs",
    components: {
      schemas: { ...schemas, AgentWorkflowRequestModel: { ...model, properties: { ...properties, nodes: all } } },
    },
  };
}

/** Returns a function that holds an agent against the vendor's schema of the request that creates one. */
export function schemaErrors(): (config: unknown) => readonly string[] {
  const ajv = new Ajv({ strict: false, allErrors: false, logger: false, validateFormats: false });
  ajv.addSchema(document());
  const validate = ajv.getSchema("elevenlabs#/components/schemas/Body_Create_Agent_v1_convai_agents_create_post");
  if (!validate) throw new TypeError("the document has no request that creates an agent");
  return (config) =>
    validate(config) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
