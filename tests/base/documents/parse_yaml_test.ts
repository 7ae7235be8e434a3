import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDocument } from "../../../src/base/documents/mod.ts";

const read = (text: string) => parseDocument(text, "Cannot read");
const code = (text: string) => {
  try {
    read(text);
    return undefined;
  } catch (error) {
    return Object(error).code;
  }
};

test("parseDocument() reads JSON, and YAML as PyYAML does", () => {
  assert.deepEqual(read('\uFEFF{ "a": 1 }'), { value: { a: 1 }, notation: "json" });
  const text = `a: [yes, no, on, y, ~, 1_000, 017, 0x1f, 0b11, 1:30, 1e5, 1.5e+3, 2024-01-02, "yes", .inf]
true: bool
1: number
b: |
  two
  lines
`;
  const a = [true, false, true, "y", null, 1000, 15, 31, 3, 90, "1e5", 1500, "2024-01-02", "yes", ".inf"];
  assert.deepEqual(read(text), { value: { a, true: "bool", 1: "number", b: "two\nlines\n" }, notation: "yaml" });
});

test("parseDocument() resolves aliases and merges, keeps tags, and takes the last of equal keys", () => {
  const text = `base: &b { x: 1, y: 2 }
same: *b
more:
  <<: *b
  y: 3
inc: !include greeting.txt
list: !include [a, b]
twice: 1
twice: 2
__proto__: mine
`;
  const { value } = read(text);
  assert.equal(
    JSON.stringify(value),
    '{"base":{"x":1,"y":2},"same":{"x":1,"y":2},"more":{"x":1,"y":3},"inc":{"!include":"greeting.txt"},"list":{"!include":["a","b"]},"twice":2,"__proto__":"mine"}',
  );
});

test("parseDocument() names what is no document", () => {
  assert.equal(code('{"a": 1,}'), "invalid-json");
  assert.equal(code("hello there"), "invalid-json");
  assert.equal(code("# only a comment\n"), "invalid-json");
  assert.throws(() => read('a: 1\nb: "x\nc: 2'), /Cannot read: the text is not YAML, line 3, column \d/);
  assert.equal(code("a: 1\n---\nb: 2\n"), "invalid-yaml");
  assert.equal(code("a: *missing\n"), "invalid-yaml");
});

test("parseDocument() has limits: nesting, aliases of aliases, anchors in themselves, and size", () => {
  const letters = [..."abcdefghij"];
  const bomb = letters.map((letter, at) => {
    const inner = at === 0 ? "x" : `*${letters[at - 1]}`;
    return `${letter}: &${letter} [${Array(9).fill(inner).join(", ")}]`;
  });
  assert.equal(code(bomb.join("\n")), "too-large");
  assert.equal(code("a: &a [*a]\n"), "invalid-yaml");
  assert.equal(code("a: &a\n  b: *a\n"), "invalid-yaml");
  assert.equal(code(`a: ${"[".repeat(100_000)}`), "too-deep");
  assert.equal(code(Array.from({ length: 1_000 }, (_, at) => `${" ".repeat(at)}a:`).join("\n")), "too-deep");
  assert.equal(code(`a:\n${"- ".repeat(50_000)}x`), "too-deep");
  assert.equal(code(`a: ${"x".repeat(100_000_000)}`), "too-large");
});
