import assert from "node:assert/strict";
import { test } from "node:test";
import { editJson } from "../../../src/base/values/mod.ts";

/** Each text, the value to be written into it, and the text that comes out. */
function written(cases: readonly (readonly [string, unknown, string])[]): void {
  for (const [text, value, wanted] of cases) assert.equal(editJson(text, value), wanted);
}

test("editJson() indents new parts like the surrounding text", () => {
  written([
    [
      '{\n\t"a": {\n\t\t"b": 1\n\t}\n}',
      { a: { b: 1 }, c: { d: [1] } },
      '{\n\t"a": {\n\t\t"b": 1\n\t},\n\t"c": {\n\t\t"d": [\n\t\t\t1\n\t\t]\n\t}\n}',
    ],
    ['{\r\n  "a": 1\r\n}', { a: 1, b: [1] }, '{\r\n  "a": 1,\r\n  "b": [\r\n    1\r\n  ]\r\n}'],
    ['[\n{"a": 1}\n]', [{ a: 1 }, { a: 2, b: { c: 1 } }], '[\n{"a": 1},\n{"a": 2, "b": {"c": 1}}\n]'],
    ['{\n  "list": []\n}', { list: [1, { a: 1 }] }, '{\n  "list": [\n    1,\n    {\n      "a": 1\n    }\n  ]\n}'],
    ['["a",\n"b"]', ["a", "b", [1, 2]], '["a",\n"b",\n[1, 2]]'],
  ]);
});

test("editJson() indents a new item like its neighbours", () => {
  const item = (a: number) => `{\n  "a": ${a}\n}`;
  written([
    [`{"list": [${item(1)}, 7]}`, { list: [{ a: 1 }, 7, { a: 3 }] }, `{"list": [${item(1)}, 7, ${item(3)}]}`],
    ['{\n  "list": [{"a": 1}]\n}', { list: [{ a: 1 }, { a: 2 }] }, '{\n  "list": [{"a": 1}, {"a": 2}]\n}'],
  ]);
});

test("editJson() spaces colons and commas like the surrounding text", () => {
  written([
    ['{"a":[1, 2],"b":1}', { a: [1, 2], b: 1, c: [1, 2] }, '{"a":[1, 2],"b":1,"c":[1, 2]}'],
    ['{"x":[ 1],"y":2}', { x: [1], y: 2, z: [1, 2] }, '{"x":[ 1],"y":2,"z":[1,2]}'],
    ['{"x":[1,\n2],"y":2}', { x: [1, 2], y: 2, z: [1, 2] }, '{"x":[1,\n2],"y":2,"z":[1,2]}'],
    ['{"a" :1}', { a: 1, b: [1, 2] }, '{"a" :1,"b" :[1,2]}'],
    ['{"a" : 1}', { a: 1, b: [1, 2] }, '{"a" : 1, "b" : [1, 2]}'],
    ['{"a":\n1}', { a: 1, b: { c: 1 } }, '{"a":\n1, "b": {"c": 1}}'],
    ['["x"]', ["x", { a: 1, b: 2 }], '["x", {"a": 1, "b": 2}]'],
    ['{"a":{"b":1}}', { a: { b: 1 }, c: { d: 1, e: 2 } }, '{"a":{"b":1},"c":{"d":1,"e":2}}'],
    ["[]", [1, 2], "[1, 2]"],
    ["{}", { a: { b: 1 } }, '{"a": {"b": 1}}'],
  ]);
});

test("editJson() detects escaping style only from optional escapes", () => {
  written([
    ['{"a":"\\u0007"}', { a: "é" }, '{"a":"é"}'],
    ['{"a":"\\u00E9","b":1}', { a: "é", b: "ü" }, '{"a":"\\u00E9","b":"\\u00fc"}'],
    ['{"a":"\\u00e9é","b":1}', { a: "éé", b: "ü" }, '{"a":"\\u00e9é","b":"ü"}'],
    ['{"a":"x\\\\/y","b":1}', { a: "x\\/y", b: "c/d" }, '{"a":"x\\\\/y","b":"c/d"}'],
  ]);
});

test("editJson() copies a number's text only if JavaScript cannot represent it", () => {
  for (const [number, copied] of [
    ["12345678901234567890", "12345678901234567890"],
    ["1e400", "1e400"],
    ["-1e400", "-1e400"],
    ["0.1000000000000000055", "0.1000000000000000055"],
    ["-0.5000000000000000001", "-0.5000000000000000001"],
    ["123456789012345678e3", "123456789012345678e3"],
    ["100000000000000000000", "100000000000000000000"],
    ["1234567890123.40", "1234567890123.4"],
    ["0.000000000000000012", "1.2e-17"],
    ["1.50", "1.5"],
    ["1e5", "100000"],
    ["1.5e000000000000000001", "15"],
    ["-12345678901234.0", "-12345678901234"],
  ] as const) {
    const text = `{"n": ${number}}`;
    const { n } = JSON.parse(text);
    assert.equal(editJson(text, { n, copy: [n] }), `{"n": ${number}, "copy": [${copied}]}`);
  }
});

test("editJson() uses the first of several number texts that JavaScript reads as equal", () => {
  const text = "[12345678901234567890, 12345678901234567891]";
  const [one, other] = JSON.parse(text);
  assert.equal(editJson(text, [one, other, [one]]), `${text.slice(0, -1)}, [12345678901234567890]]`);
});

test("editJson() omits values that JSON cannot represent, and writes null for them in lists", () => {
  const sparse = { x: undefined, y: [undefined], z: [] };
  written([
    ['{"a":1}', { a: 1, b: sparse, c: undefined }, '{"a":1,"b":{"y":[null],"z":[]}}'],
    ['{"a":1,"b":2}', { b: 2, a: undefined }, '{"b":2}'],
    ["[1]", [1, () => 1], "[1, null]"],
  ]);
});

test("editJson() removes keys, including inherited names and duplicates", () => {
  written([
    ['{"toString":1,"a":1}', { a: 1 }, '{"a":1}'],
    ['{"x":1,"x":2,"b":3}', { b: 3 }, '{"b":3}'],
  ]);
});

test("editJson() writes changed key orders, and inserts new keys in place", () => {
  written([
    ['{"a": 1,  "b": 2, "c": 3}', { b: 2, n: 5, a: 1, c: 3 }, '{"b": 2,  "n": 5,  "a": 1, "c": 3}'],
    ['{"x":1,"x":2,"b":3}', { b: 3, x: 4 }, '{"b":3,"x":1,"x":4}'],
    ['{"a":1,"z":2}', { a: 1, n: 5, z: 2 }, '{"a":1,"n":5,"z":2}'],
    ['{"gone":0,"a":1,"z":2}', { n: 5, a: 1, m: undefined, z: 2 }, '{"n":5,"a":1,"z":2}'],
  ]);
});
