import assert from "node:assert/strict";
import { test } from "node:test";
import { merge, putBack } from "../../../platforms/lens/mod.ts";
import { parseGraph, withOriginal } from "../../../src/document/graph/mod.ts";

const member = (name: string, prompt: string, rest: object = {}) => ({
  assistant: { name, model: { prompt }, ...rest },
});

test("merge() pairs items by a nested key, so that unknown keys stay with their item", () => {
  const original = [member("A", "one", { voice: 1 }), member("B", "two", { voice: 2 })];
  const base = [member("A", "one"), member("B", "two")];
  const merged = merge(original, base, [member("B", "two"), member("A", "new")], { keys: ["assistant.name"] });
  assert.deepEqual(merged, [member("B", "two", { voice: 2 }), member("A", "new", { voice: 1 })]);
});

test("merge() finds a renamed item by its similar content", () => {
  const original = [member("A", "one", { voice: 1 }), member("B", "two", { voice: 2 })];
  const base = [member("A", "one"), member("B", "two")];
  const merged = merge(original, base, [member("A", "one"), member("C", "two")], { keys: ["assistant.name"] });
  assert.deepEqual(merged, [member("A", "one", { voice: 1 }), member("C", "two", { voice: 2 })]);
});

test("putBack() changes only the imported part of an envelope and keeps the rest verbatim", () => {
  const node = { state_prompt: "", tools: [], transitions: [], variables_to_extract: [] };
  const named = (name: string) => parseGraph({ entry_node_id: name, nodes: { [name]: { id: name, ...node } } });
  const text = '{"at": 1.0, "data": [0, {"name": "a", "note": 12345678901234567890}]}';
  const written = putBack(withOriginal(named("b"), { format: "x", text }), {
    name: "x",
    shape: { keys: ["name"], root: () => ["data", 1] },
    read: () => named("a"),
    write: ({ entry_node_id: name }) => ({ config: { name }, losses: [] }),
  });
  assert.equal(written?.text, text.replace('"a"', '"b"'));
});
