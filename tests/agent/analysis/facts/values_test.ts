import assert from "node:assert/strict";
import { test } from "node:test";
import { listedIds, typedValue, valueFacts } from "../../../../src/agent/analysis/facts/mod.ts";
import { extract, graphOf, says } from "../_graphs.ts";

test("typedValue() converts the texts of numbers and booleans, and refuses others", () => {
  const rows = [
    ["number", "5", 5],
    ["number", " 1.5 ", 1.5],
    ["number", "", undefined],
    ["number", " ", undefined],
    ["number", "five", undefined],
    ["number", "1e999", undefined],
    ["boolean", "true", true],
    ["boolean", " TRUE ", true],
    ["boolean", "False", false],
    ["boolean", "yes", undefined],
    ["boolean", "untrue", undefined],
    ["string", " 5 ", " 5 "],
    ["enum", "true", "true"],
  ] as const;
  for (const [type, text, value] of rows) assert.equal(typedValue({ type }, text), value, `${type} "${text}"`);
  assert.equal(typedValue(undefined, " 5 "), " 5 ");
});

test("listed() names five ids, and how many more there are", () => {
  assert.equal(listedIds(["a", "b", "c", "d", "e"]), '"a", "b", "c", "d", "e"');
  assert.equal(listedIds(["a", "b", "c", "d", "e", "f", "g"]), '"a", "b", "c", "d", "e" and 2 more');
});

test("valueFacts() knows choices, booleans and numbers of extracted variables", () => {
  const graph = graphOf(
    {
      a: extract([
        { name: "plan", type: "enum", choices: ["gold", "silver"] },
        { name: "open", type: "enum", choices: [] },
        { name: "agreed", type: "boolean" },
        { name: "age", type: "number" },
        { name: "both", type: "number" },
        { name: "set", type: "number" },
        { name: "found", type: "number" },
      ]),
      b: extract([
        { name: "plan", type: "enum", choices: ["gold", "free"] },
        { name: "both", type: "string" },
      ]),
      c: {
        ...says("Find."),
        tools: [{ name: "find", description: "Finds", response_variables: { found: "$.x" } }],
      },
    },
    { source_metadata: { default_dynamic_variables: { set: "1", free: null } } },
  );
  const facts = Object.fromEntries(valueFacts(graph));
  assert.deepEqual(facts.plan, { kind: "text", values: ["gold", "silver", "free"], mayBeUnset: true });
  assert.deepEqual(facts.open, { kind: "text", mayBeUnset: true });
  assert.deepEqual(facts.agreed, { kind: "text", values: ["true", "false"], mayBeUnset: true });
  assert.deepEqual(facts.age, { kind: "number", mayBeUnset: true });
  assert.deepEqual(facts.both, { kind: "text", mayBeUnset: true });
  assert.deepEqual(facts.set, { kind: "text", mayBeUnset: false });
  assert.deepEqual(facts.found, { kind: "text", mayBeUnset: true });
});
