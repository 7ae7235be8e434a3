import assert from "node:assert/strict";
import { test } from "node:test";
import { hoistRepeated } from "../../scripts/platforms/hoist.ts";
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
