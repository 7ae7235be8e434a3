import assert from "node:assert/strict";
import { test } from "node:test";
import { splitRecords } from "../../../../src/run/calls/split/mod.ts";
import * as fc from "../../../fast_check.ts";
import { chunksOf } from "../_read.ts";

/** The pieces of a source in short: values as they are, damage with its line. */
async function split(text: string, size = 7): Promise<readonly unknown[]> {
  const pieces: unknown[] = [];
  for await (const piece of splitRecords(chunksOf(text, size))) {
    if (piece.kind === "value" && piece.list !== "end") pieces.push(piece.value);
    else if (piece.kind === "text") pieces.push(`text ${piece.line}: ${piece.text}`);
    else if (piece.kind === "damage") pieces.push(`damage ${piece.line}`);
  }
  return pieces;
}

const LONG = "x".repeat(1_100_000);

test("a list in several lines, under a key, or longer than a line is split into its elements", async () => {
  assert.deepEqual(await split('[\n  {"a": 1},\n  {\n    "b": [2, "]"]\n  }\n]\n'), [{ a: 1 }, { b: [2, "]"] }]);
  assert.deepEqual(await split('{\n"about": "x, {",\n"calls": [{"a": 1},\n{"a": 2}],\n"more": {"calls": [1]}\n}'), [
    { a: 1 },
    { a: 2 },
  ]);
  assert.deepEqual(await split(`[{"a":"${LONG}"},{"a":"\\"[\\\\"}]`, 60_000), [{ a: LONG }, { a: '"[\\' }]);
  assert.deepEqual(await split(`{"a":1}\n{"a":"${LONG}"}\n{"a":2}`, 60_000), [{ a: 1 }, { a: 2 }]);
});

test("a damaged line of JSON lines is reported with its line, and the lines around it are read", async () => {
  const text = '{"a":1}\n{"a":"tru\n\n{"a":tru}\n{"a":{\nnot JSON\n{"a":2}';
  assert.deepEqual(await split(text), [{ a: 1 }, "damage 2", "damage 4", "damage 5", "damage 6", { a: 2 }]);
  for (const first of ['{"a":"tr', '{"a":tru}', '{"a":{"b":1', '{"a":1]'])
    assert.deepEqual(await split(`${first}\n{"a":1}\n{"a":2}`), ["damage 1", { a: 1 }, { a: 2 }], first);
});

test("a damaged element of a list is reported with its line, and the elements around it are read", async () => {
  assert.deepEqual(await split('[\n{"a":1},\n{"a":tru},\n{"a":2}\n]'), [{ a: 1 }, "damage 3", { a: 2 }]);
  assert.deepEqual(await split('[\n{"a":1},\n{"a":"cut,\n{"a":2},\n{"a":[1},\n{"a":3}\n]'), [
    { a: 1 },
    "damage 3",
    { a: 2 },
    "damage 5",
    { a: 3 },
  ]);
  const nested = '[\n  {\n    "m": [\n      {"r": "cut,\n      {"r": 2}\n    ]\n  },\n  {"a":3}\n]';
  assert.deepEqual(await split(nested), ["damage 2", { a: 3 }]);
});

test("a list that ends in the middle, as after an aborted download, has the elements before", async () => {
  assert.deepEqual(await split('[\n{"a":1},\n{"a":2},\n{"a":'), [{ a: 1 }, { a: 2 }, "damage 4"]);
});

test("byte order marks, CRLF and UTF-16 are no damage; empty sources have no records", async () => {
  assert.deepEqual(await split('\uFEFF{"a":1}\r\n\r\n{"a":"é"}\r\n'), [{ a: 1 }, { a: "é" }]);
  const utf16 = new Uint8Array(Uint16Array.from('\uFEFF{"a":1}', (letter) => letter.charCodeAt(0)).buffer);
  const pieces: unknown[] = [];
  for await (const piece of splitRecords(
    (async function* () {
      yield utf16;
    })(),
  ))
    pieces.push(piece.kind === "value" ? piece.value : piece);
  assert.deepEqual(pieces, [{ a: 1 }]);
  for (const empty of ["", "\n \r\n", "\uFEFF"]) assert.deepEqual(await split(empty), []);
});

test("what does not begin with a bracket is text, split at lines of dashes; so is a line with a time in brackets", async () => {
  assert.deepEqual(await split("Agent: Hi\r\nUser: {}\n---\nAgent: Bye\n"), [
    "text 1: Agent: Hi\nUser: {}",
    "text 4: Agent: Bye\n".trimEnd(),
  ]);
  assert.deepEqual(await split("[00:12] Agent: Hi"), ["text 1: [00:12] Agent: Hi"]);
});

test("splitRecords() finds the elements of any list, in any layout and in chunks of any size", async () => {
  const layouts = [
    (list: readonly object[]) => JSON.stringify(list),
    (list: readonly object[]) => JSON.stringify(list, null, 2),
    (list: readonly object[]) => JSON.stringify({ first: "[{", items: list, last: { a: ["}"] } }, null, 1),
    (list: readonly object[]) => list.map((each) => JSON.stringify(each)).join("\n"),
  ];
  const element = fc.dictionary(fc.string(), fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(
      fc.array(element, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 1, max: 40 }),
      async (list, layout, size) => {
        const given = JSON.parse(JSON.stringify(list));
        const text = (layouts[layout] ?? JSON.stringify)(given);
        const found = await split(text, size);
        // a list or page on one line is one value, of which its reader makes several
        const [value] = found;
        const expanded = Array.isArray(value) ? value : isPage(value) ? value.items : found;
        assert.deepEqual(expanded, given);
      },
    ),
    { numRuns: 300 },
  );
});

function isPage(value: unknown): value is { readonly items: unknown } {
  return typeof value === "object" && value !== null && "items" in value && "first" in value;
}
