import assert from "node:assert/strict";
import { test } from "node:test";
import { editJson } from "../../../src/base/values/mod.ts";
import { fc } from "../../properties.ts";

/** Without `-0`, which JSON writes as `0`. */
const json = fc.jsonValue({ maxDepth: 4 }).map((value): unknown => JSON.parse(JSON.stringify(value)));
const indent = fc.constantFrom(undefined, 1, 2, 4, "\t");

/** Adds white space where JSON allows it. */
function scattered(text: string, spaces: readonly string[]): string {
  let next = 0;
  const space = () => spaces[next++ % spaces.length] ?? "";
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|[[\]{},:]/g, (token) =>
    token.startsWith('"') ? token : `${space()}${token}${space()}`,
  );
}
const spaces = fc.array(fc.constantFrom("", " ", "\n", "\r\n  ", "\t", "\n    "), { minLength: 1, maxLength: 7 });

test("editJson() keeps a text whose value did not change", () => {
  fc.assert(
    fc.property(json, spaces, (value, around) => {
      const text = scattered(JSON.stringify(value), around);
      assert.equal(editJson(text, JSON.parse(text)), text);
    }),
    { numRuns: 500 },
  );
});

test("editJson() can replace any value by any other, in any layout", () => {
  fc.assert(
    fc.property(json, json, spaces, (before, after, around) => {
      const text = scattered(JSON.stringify(before), around);
      assert.deepEqual(JSON.parse(editJson(text, after)), after);
    }),
    { numRuns: 500 },
  );
});

test("editJson() of serialized text equals serializing the new value", () => {
  const numbers = fc.dictionary(fc.string(), fc.integer(), { maxKeys: 5 });
  const documents = fc
    .array(fc.record({ id: fc.string(), list: fc.array(fc.integer(), { minLength: 1 }), numbers }), { minLength: 1 })
    .map((list): unknown => JSON.parse(JSON.stringify(list)));
  fc.assert(
    fc.property(documents, documents, indent, (before, after, unit) => {
      // an empty list or object beside text without indentation says nothing of the style
      const text = JSON.stringify({ before: { a: 1, b: 2 }, documents: before }, null, unit);
      const wanted = { before: { a: 1, b: 2 }, documents: after };
      const written = editJson(text, wanted);
      assert.deepEqual(JSON.parse(written), wanted);
      assert.equal(written, JSON.stringify(JSON.parse(written), null, unit));
    }),
    { numRuns: 300 },
  );
});

test("editJson() changes one line for one changed word", () => {
  const text = '{\r\n\t"id" : "a",\r\n\t"said": [ "one", "two" ],\r\n\t"big": 12345678901234567890\r\n}\r\n';
  assert.equal(editJson(text, { ...JSON.parse(text), said: ["one", "three"] }), text.replace("two", "three"));
});

test("editJson() keeps a byte order mark, large numbers and duplicate keys", () => {
  const text = '\uFEFF{"n": 1e400, "n2": 0.1000000000000000055511151231257827, "twice": 1, "twice": 2, "x": "a"}\n';
  const value = JSON.parse(text.slice(1));
  assert.equal(editJson(text, { ...value, x: "b" }), text.replace('"a"', '"b"'));
  assert.equal(editJson(text, { ...value, twice: 3 }), text.replace("2,", "3,"));
});

test("editJson() keeps large numbers when the object around them is moved or copied", () => {
  const text = '{\n  "a": [\n    {\n      "id": 12345678901234567890\n    }\n  ]\n}';
  const value = JSON.parse(text);
  const written = editJson(text, { b: value.a });
  assert.equal(written, text.replace('"a"', '"b"'));
});

test("editJson() writes new parts in the style of the surrounding text", () => {
  const wide = '{\n    "a": 1,\n    "list": [\n        {"id": "p"}\n    ],\n    "empty": []\n}\n';
  assert.equal(
    editJson(wide, { a: 1, list: [{ id: "p" }, { id: "q" }], empty: [{ k: 1 }], z: 2 }, { keys: ["id"] }),
    '{\n    "a": 1,\n    "list": [\n        {"id": "p"},\n        {\n            "id": "q"\n        }\n    ],\n    "empty": [\n        {\n            "k": 1\n        }\n    ],\n    "z": 2\n}\n',
  );
  assert.equal(editJson('{"a":1,"b":[2,3]}', { a: 1, b: [2, 3, 4], c: { d: 5 } }), '{"a":1,"b":[2,3,4],"c":{"d":5}}');
  assert.equal(editJson('{"a": 1, "b": [2, 3]}', { a: 1, b: [2], c: { d: 5 } }), '{"a": 1, "b": [2], "c": {"d": 5}}');
});

test("editJson() escapes new text like the surrounding text", () => {
  assert.equal(
    editJson('{"a":"caf\\u00e9","b":"x"}', { a: "café", b: "né😀" }),
    '{"a":"caf\\u00e9","b":"n\\u00e9\\ud83d\\ude00"}',
  );
  assert.equal(editJson('{"a":"café","b":"x"}', { a: "café", b: "né" }), '{"a":"café","b":"né"}');
  assert.equal(editJson('{"a":"1\\/2","b":"x"}', { a: "1/2", b: "3/4" }), '{"a":"1\\/2","b":"3\\/4"}');
});

test("editJson() keeps the escapes in the unchanged start and end of an edited text", () => {
  const text = '{"a": "l\\u0027\\u00E9t\\u00e9 \\/ Müller 😀 l\\u0027hiver"}';
  assert.equal(editJson(text, { a: "l'été / Maier 😀 l'hiver" }), text.replace("Müller", "Maier"));
  assert.equal(editJson(editJson(text, { a: "l'été / 😀 l'hiver" }), JSON.parse(text)), text);
  assert.equal(editJson(`{"a": "x😀"}`, { a: "x😁" }), `{"a": "x😁"}`);
});

test("editJson() writes any text over any other as JSON, without splitting a character", () => {
  const parts = fc.constantFrom("a", "b", "😀", "😁", "\ud83d", "\ude00", '"', "\\", "\n", "é", "/");
  const texts = fc.array(parts, { maxLength: 8 }).map((list) => list.join(""));
  const escaped = (text: string) =>
    `"${[...text].map((each) => (each < "b" || each > "z" ? escapes(each) : each)).join("")}"`;
  const escapes = (each: string) =>
    [...Array(each.length).keys()].map((at) => `\\u${each.charCodeAt(at).toString(16).padStart(4, "0")}`).join("");
  fc.assert(
    fc.property(texts, texts, fc.boolean(), (before, after, isEscaped) => {
      const written = editJson(isEscaped ? escaped(before) : JSON.stringify(before), after);
      assert.equal(JSON.parse(written), after);
      assert.equal(new TextDecoder().decode(new TextEncoder().encode(written)), written);
    }),
    { numRuns: 1000 },
  );
});

test("editJson() treats __proto__ and keys that are numbers as plain keys", () => {
  const text = '{"2": "b", "1": "a", "__proto__": {"x": 1}}';
  const value = JSON.parse(text);
  assert.equal(editJson(text, value), text);
  value["1"] = "c";
  assert.equal(editJson(text, value), text.replace('"a"', '"c"'));
  assert.equal(editJson(text, JSON.parse(text.replace('"x": 1', '"x": 2'))), text.replace('"x": 1', '"x": 2'));
});

test("editJson() pairs objects by the given keys, so that a moved one keeps its text", () => {
  const text = '[{"id": 1,  "x": 1e2}, {"id": 2, "y":1}]';
  assert.equal(
    editJson(
      text,
      [
        { id: 2, y: 2 },
        { id: 1, x: 100 },
      ],
      { keys: ["id"] },
    ),
    '[{"id": 2, "y":2}, {"id": 1,  "x": 1e2}]',
  );
});
