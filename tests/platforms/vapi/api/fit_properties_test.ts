import assert from "node:assert/strict";
import { test } from "node:test";
import { type Fault, fitModel, fitSettings, schemaAt } from "../../../../platforms/vapi/api/mod.ts";
import { type JsonObject, omit, sameJson } from "../../../../src/base/values/mod.ts";
import { fc } from "../../../properties.ts";
import { hasShared, validators, WITHOUT_SHARED } from "../compile/vapi_schema.ts";
import { valuesOf } from "./settings.ts";

const MODELLED = ["name", "model", "metadata", "firstMessage", "firstMessageMode", "credentials"];

/** Compiled once, before the tests, so that it does not count towards their timeouts. */
const schemas = hasShared ? validators() : undefined;

/** Generates an assistant with one setting; several settings would make shrinking slow. */
function assistants(): fc.Arbitrary<{ readonly [key: string]: unknown }> {
  const settings = omit(schemaAt("CreateAssistantDTO").properties ?? {}, MODELLED);
  const pairs = Object.keys(settings).map((key) =>
    valuesOf(schemaAt("CreateAssistantDTO", key)).map((value) => ({ [key]: value })),
  );
  return fc.oneof(...pairs);
}

test("fitSettings() converts any value to one that Vapi's schema accepts, and reports every change", (t) => {
  if (!schemas) return t.skip(WITHOUT_SHARED);
  const { assistant } = schemas;
  fc.assert(
    fc.property(assistants(), (settings) => {
      const faults: Fault[] = [];
      const fitted = fitSettings(settings, ["vapi"], faults);
      assert.ok(assistant(fitted), JSON.stringify(assistant.errors?.at(-1)));
      assert.deepEqual(fitSettings(fitted, ["vapi"], []), fitted, "fitting twice is fitting once");
      if (assistant(settings)) assert.deepEqual(faults, [], "what is right stays as it is");
    }),
    { numRuns: 2000 },
  );
});

/** Generates models without keys that the graph sets, and without a retired workflow, which is not checked. */
function models(): fc.Arbitrary<JsonObject> {
  const kinds = Object.entries(schemaAt("CreateAssistantDTO", "model").of ?? {}).map(([provider, name]) => {
    const { properties = {}, ...schema } = schemaAt(name);
    const keys = Object.entries(properties).filter(([key]) => !["messages", "tools", "workflow"].includes(key));
    return valuesOf({ ...schema, properties: Object.fromEntries(keys) }).map((value) => ({
      ...Object(value),
      provider,
    }));
  });
  return fc.oneof(...kinds);
}

test("fitModel() converts any model to one that Vapi's schema accepts, or removes it", (t) => {
  if (!schemas) return t.skip(WITHOUT_SHARED);
  const { assistant } = schemas;
  fc.assert(
    fc.property(models(), (model) => {
      const fitted = fitModel(model, ["vapi"], []);
      if (sameJson(fitted, {})) return;
      assert.ok(assistant({ model: fitted }), JSON.stringify(assistant.errors?.at(-1)));
    }),
    { numRuns: 1000 },
  );
});
