import assert from "node:assert/strict";
import { test } from "node:test";
import { hoistRepeated } from "../../scripts/platforms/hoist.ts";
import { interfacesModule } from "../../scripts/platforms/interfaces.ts";
import { mergeEqual } from "../../scripts/platforms/merge_equal.ts";
import { readPublished } from "../../scripts/platforms/read_published.ts";
import { reduceVapi } from "../../scripts/platforms/vapi.ts";
import { tableModule } from "../../scripts/platforms/write_tables.ts";
import { isRecord, type JsonObject } from "../../src/base/values/mod.ts";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const kind = (type: string, more: JsonObject = {}) => ({
  type: "object",
  properties: { type: { type: "string", enum: [type] }, ...more },
  required: ["type"],
});

/** Returns the reduced schema of an assistant. */
function reduced(properties: JsonObject, schemas: JsonObject = {}, corrections: Parameters<typeof reduceVapi>[2] = []) {
  const assistant = { type: "object", properties };
  const document = {
    info: { title: "Vapi API", version: "9" },
    components: { schemas: { CreateAssistantDTO: assistant, ...schemas } },
  };
  const made = reduceVapi(document, "2026-01-02", corrections).schemas;
  assert.ok(isRecord(made) && isRecord(made.CreateAssistantDTO));
  return made.CreateAssistantDTO.properties;
}

test("reduceVapi() converts a union of objects to a map by its discriminator", () => {
  const union = { oneOf: [ref("Say"), ref("Ask")], description: "What to do" };
  assert.deepEqual(reduced({ action: union }, { Say: kind("say"), Ask: kind("ask") }), {
    action: { kinds: "type", of: { say: "Say", ask: "Ask" } },
  });
  assert.deepEqual(reduced({ action: { oneOf: [{ type: "string" }, ref("Say")] } }, { Say: kind("say") }), {
    action: { anyOf: [{ type: "string" }, { $ref: "Say" }] },
  });
});

test("reduceVapi() corrects errors of the document", () => {
  const slips = {
    speed: { type: "integer", minimum: 1 },
    mode: { type: "object", enum: ["fast", "slow"] },
    empty: { type: "string", enum: [] },
    name: { type: "string", pattern: "/^[a-z]$/u" },
    sound: {
      oneOf: [
        { type: "string", enum: ["off"] },
        { type: "string", format: "uri" },
      ],
    },
    model: { type: "string", enum: ["the-model-of-today"] },
  };
  assert.deepEqual(reduced(slips), {
    speed: { type: "number", minimum: 1 },
    mode: { type: "string", enum: ["fast", "slow"] },
    empty: { type: "string" },
    name: { type: "string", pattern: "^[a-z]$" },
    sound: { type: "string" },
    model: {},
  });
});

test("reduceVapi() rejects a correction without effect", () => {
  const codes = { type: "array", items: { type: "object" } };
  const correct = (type: string) => ({ schema: "Plan", path: ["codes", "items"], set: { type }, reason: "a test" });
  const schemas = { Plan: { type: "object", properties: { codes } } };
  const properties = { plan: ref("Plan") };
  assert.doesNotThrow(() => reduced(properties, schemas, [correct("number")]));
  assert.throws(() => reduced(properties, schemas, [correct("object")]), /Plan\.codes\.items changes nothing/);
  assert.throws(() => reduced(properties, {}, [correct("number")]), /has no schema to correct/);
});

test("hoistRepeated() names a long schema that occurs twice", () => {
  const language = { type: "string", enum: Array.from({ length: 60 }, (_, index) => `l${index}`) };
  const voice = { type: "object", properties: { language } };
  assert.deepEqual(hoistRepeated({ A: voice, B: { type: "array", items: language } }), {
    A: { type: "object", properties: { language: { $ref: "language" } } },
    B: { type: "array", items: { $ref: "language" } },
    language,
  });
});

test("tableModule() escapes JSON for a TypeScript string", () => {
  const tables = { date: "2026-01-02", schemas: { odd: `a\`b\${c}\\d\n` } };
  const source = tableModule("ODD", tables, "schemas");
  const [, text = ""] = /^export const ODD: string = `([\s\S]*)`;$/m.exec(source) ?? [];
  const unescaped = text.replace(/\\([\\`$])/g, "$1");
  assert.deepEqual(JSON.parse(unescaped), tables);
});

test("readPublished() says in one line why a document cannot be read", () => {
  const read = readPublished("/nope/vapi.json");
  assert.ok("problem" in read);
  assert.match(read.problem, /^Cannot read "\/nope\/vapi\.json": .+$/);
});

test("interfacesModule() writes the named schemas and what they refer to, with the beginning of descriptions", () => {
  const schemas = {
    Call: {
      type: "object",
      description: "A call.\n\nMore of it.",
      required: ["id", "kind"],
      properties: {
        id: { type: "string" },
        kind: { type: "string", enum: ["in", "out"], description: "Its\n direction. */" },
        count: { type: "integer", nullable: true, deprecated: true },
        parts: {
          type: "array",
          enum: ["a"],
          items: { oneOf: [{ $ref: "#/components/schemas/Part" }, { type: "null" }] },
        },
        first: { allOf: [{ $ref: "#/components/schemas/Part" }], description: "The first one." },
        verb: { type: "object", enum: ["go"] },
        "x-more": { type: ["string", "null"] },
        texts: { type: "object", additionalProperties: { type: "string" } },
        inner: { type: "object", properties: { type: { const: 1 } }, required: ["type"] },
      },
    },
    Part: { type: "object" },
    Unused: { type: "object", properties: {} },
  };
  assert.equal(
    interfacesModule(schemas, ["Call"]),
    `/** Generated by \`npm run update-platforms\` from the document that the platform publishes. */

/** A call. */
export interface Call {
  id: string;
  /** Its direction. *\\/ */
  kind: "in" | "out";
  /** @deprecated */
  count?: number | null | undefined;
  parts?: (Part | null)[] | undefined;
  /** The first one. */
  first?: Part | undefined;
  verb?: "go" | undefined;
  "x-more"?: string | null | undefined;
  texts?: { [key: string]: string } | undefined;
  inner?: {
    type: 1;
  } | undefined;
}

export type Part = { [key: string]: unknown };
`,
  );
  assert.throws(() => interfacesModule(schemas, ["Nothing"]), /no schema "Nothing"/);
});

test("mergeEqual() keeps one of the schemas that say the same, under a short name", () => {
  const place = (type: string) => ({ properties: { x: { type } } });
  const node = (name: string) => ({ properties: { at: { $ref: `#/definitions/${name}` } } });
  const merged = mergeEqual(
    {
      Flow: {
        properties: { start: { $ref: "#/definitions/Flow.Node" }, end: { $ref: "#/definitions/Flow.Part.Node" } },
      },
      "Flow.Node": node("Flow.Node.Place"),
      "Flow.Part.Node": node("Flow.Part.Node.Place"),
      "Flow.Node.Place": place("number"),
      "Flow.Part.Node.Place": place("number"),
      "Flow.Tool.Place": place("string"),
      "Flow.Tree": node("Flow.Tree"),
    },
    ["Flow"],
  );
  assert.deepEqual(merged, {
    Flow: { properties: { start: { $ref: "Node" }, end: { $ref: "Node" } } },
    Node: { properties: { at: { $ref: "NodePlace" } } },
    NodePlace: place("number"),
    ToolPlace: place("string"),
    Tree: { properties: { at: { $ref: "Tree" } } },
  });
});
