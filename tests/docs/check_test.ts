import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { CHECK_CODES } from "../../src/agent/analysis/mod.ts";

test("docs/check.md explains every code of a finding once, in the order of CHECK_CODES, and no other", () => {
  const text = readFileSync(join(import.meta.dirname ?? ".", "../../docs/check.md"), "utf8");
  const explained = [...text.matchAll(/^\| `([a-z-]+)` +\| \S.{10,} *\|$/gm)].map(([, code]) => code);
  assert.deepEqual(explained, [...CHECK_CODES]);
});
