import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDocument } from "../../../src/base/documents/mod.ts";

test("a text of more than 50 million characters is refused before it is read, as JSON and as anything else", () => {
  const long = "x".repeat(50_000_000);
  for (const text of [`"${long}"`, `a: ${long}`, `${long}y`])
    assert.throws(() => parseDocument(text, "Cannot import agent"), {
      code: "too-large",
      message: /^Cannot import agent: the text has more than 50000000 characters/,
    });
  assert.deepEqual(parseDocument(`${" ".repeat(1_000)}{}`, "Cannot import agent"), { value: {}, notation: "json" });
});
