import assert from "node:assert/strict";
import { test } from "node:test";
import { choicesWords, schemaChanges } from "../../../../../src/agent/analysis/diff/changes/tool_changes.ts";

const PLACE = { path: ["parameters"], subject: "Tool", more: { node: "a", nodes: ["a"] } };
const changesOf = (before: unknown, after: unknown) =>
  schemaChanges(before, after, PLACE).map(({ kind, path, message }) => [kind, path.slice(1).join("."), message]);
const schema = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const needs = (...required: readonly unknown[]) => schema({ day: { type: "string" }, hour: {} }, { required });

test("schemaChanges() describes new and removed parameters", () => {
  const day = { day: { type: "string" } };
  const rows = [
    [schema({}), schema(day), 'Tool has the new parameter "day" (string, optional)'],
    [schema({}), schema(day, { required: ["day"] }), 'Tool has the new parameter "day" (string, required)'],
    [schema({}), schema({ day: { enum: [1] } }), 'Tool has the new parameter "day" (optional)'],
    [schema({}), schema({ day: { type: 5 } }), 'Tool has the new parameter "day" (optional)'],
    [schema(day, { required: ["day"] }), schema({}), 'Tool no longer has parameter "day"'],
  ] as const;
  for (const [before, after, message] of rows)
    assert.deepEqual(changesOf(before, after), [["tool-schema-changed", "properties.day", message]]);
});

test("schemaChanges() describes each keyword of a parameter", () => {
  const rows = [
    [{ type: "string" }, { type: "number" }, "type", '"day" is "number" instead of "string"'],
    [{}, { type: "number" }, "type", '"day" is "number" instead of "any type"'],
    [{ type: "number" }, {}, "type", '"day" is "any type" instead of "number"'],
    [{ enum: ["mon"] }, { enum: ["mon", "tue"] }, "enum", '"day" accepts now also "tue"'],
    [{ enum: ["mon", 2] }, { enum: ["mon"] }, "enum", '"day" accepts no longer "2"'],
    [{ enum: ["a", "b"] }, { enum: ["b", "a"] }, "enum", '"day" accepts the same values in another order'],
  ] as const;
  for (const [before, after, key, message] of rows)
    assert.deepEqual(changesOf(schema({ day: { x: 1, ...before } }), schema({ day: { x: 1, ...after } })), [
      ["tool-schema-changed", `properties.day.${key}`, `Tool: parameter ${message}`],
    ]);
});

test("schemaChanges() reports descriptions of parameters, and of all of them together, as reworded", () => {
  const rows = [
    [{ description: "Day" }, { description: "Date" }, '"Date" instead of "Day"'],
    [{}, { description: "Date" }, '"Date" instead of ""'],
    [{ description: "Day" }, {}, '"" instead of "Day"'],
  ] as const;
  for (const [before, after, words] of rows) {
    assert.deepEqual(
      changesOf(schema({ day: { type: "string", ...before } }), schema({ day: { type: "string", ...after } })),
      [["tool-reworded", "properties.day.description", `Tool describes parameter "day" differently: ${words}`]],
    );
    assert.deepEqual(changesOf(schema({}, before), schema({}, after)), [
      ["tool-reworded", "description", `Tool describes parameters differently: ${words}`],
    ]);
    const inner = (more: object) => schema({ when: schema({ day: {} }, more) });
    assert.deepEqual(changesOf(inner(before), inner(after)), [
      ["tool-reworded", "properties.when.description", `Tool describes parameter "when" differently: ${words}`],
    ]);
  }
  const [change] = schemaChanges(schema({}, { description: "Day" }), schema({}), PLACE);
  assert.deepEqual(change?.words, [{ change: "removed", text: "Day" }]);
});

test("schemaChanges() reports keywords without words of their own by their path", () => {
  const rows = [
    [{ minimum: 1 }, { minimum: 2 }, "minimum", "minimum is 2 instead of 1"],
    [{ enum: ["a"] }, {}, "enum", 'enum is gone, was ["a"]'],
    [{}, { enum: ["a"] }, "enum", 'enum is new: ["a"]'],
    [{ description: 1 }, { description: 2 }, "description", "description is 2 instead of 1"],
  ] as const;
  for (const [before, after, key, words] of rows)
    assert.deepEqual(changesOf(schema({ day: { x: 1, ...before } }), schema({ day: { x: 1, ...after } })), [
      ["tool-schema-changed", `properties.day.${key}`, `parameters.properties.day.${words}`],
    ]);
  assert.deepEqual(changesOf({ properties: 5 }, { properties: 6 }), [
    ["tool-schema-changed", "properties", "parameters.properties is 6 instead of 5"],
  ]);
  assert.deepEqual(changesOf(schema({ day: true }), schema({ day: false })), [
    ["tool-schema-changed", "properties.day", "parameters.properties.day is false instead of true"],
  ]);
  assert.deepEqual(changesOf(schema({ day: true }), schema({ day: { type: "string" } })), [
    ["tool-schema-changed", "properties.day", 'parameters.properties.day is {"type":"string"} instead of true'],
  ]);
});

test("schemaChanges() says which parameters are required now or no longer", () => {
  const rows = [
    [needs("day"), needs("day", "hour"), "properties.hour", 'Tool: parameter "hour" is now required'],
    [needs("day", "hour"), needs("day"), "properties.hour", 'Tool: parameter "hour" is no longer required'],
    [needs(), needs("zip"), "required", 'Tool requires "zip" instead of nothing'],
    [needs("zip"), needs(), "required", 'Tool requires nothing instead of "zip"'],
    [needs(5), needs("zip", 5), "required", 'Tool requires "zip" instead of nothing'],
    [needs("day"), needs("day", "zip"), "required", 'Tool requires "day" and "zip" instead of "day"'],
  ] as const;
  for (const [before, after, path, message] of rows)
    assert.deepEqual(changesOf(before, after), [["tool-schema-changed", path, message]]);
  assert.deepEqual(
    changesOf(needs("day"), needs("day", "hour", "zip")).map(([, path]) => path),
    ["properties.hour", "required"],
  );
  assert.deepEqual(changesOf(needs("day", "hour"), needs("hour", "day")), [
    ["rewritten", "required", 'Tool requires "hour" and "day" instead of "day" and "hour"'],
  ]);
});

test("schemaChanges() follows objects within parameters, also into one that had no properties", () => {
  const inner = (properties?: object) =>
    schema({ when: { type: "object", note: 1, ...(properties === undefined ? {} : { properties }) } });
  const day = { day: { type: "string" } };
  const rows = [
    [inner(day), inner({ day: { type: "number" } }), "type", '"day" is "number" instead of "string"'],
    [inner(), inner(day), "", '"day" (string, optional)'],
    [inner(day), inner(), "", "no longer has"],
  ] as const;
  for (const [before, after, key, words] of rows) {
    const [change, ...others] = changesOf(before, after);
    assert.deepEqual(others, []);
    assert.equal(change?.[1], ["properties.when.properties.day", key].filter(Boolean).join("."));
    assert.ok(change?.[2]?.includes('parameter "when" › "day"') && change[2].includes(words), change?.[2]);
  }
});

test("choicesWords() names what was added and removed", () => {
  assert.equal(choicesWords(["a", "b"], ["b", "c"]), 'now also "c" and no longer "a"');
  assert.equal(choicesWords([], ["c", 4]), 'now also "c" and "4"');
});
