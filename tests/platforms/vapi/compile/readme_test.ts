import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { LOSS_CODES } from "../../../../platforms/vapi/compile/mod.ts";

test("the README lists every loss that emitting for Vapi can report, and no other", () => {
  const readme = readFileSync(new URL("../../../../platforms/vapi/compile/README.md", import.meta.url), "utf8");
  const table = readme.slice(readme.indexOf("## All losses"));
  const listed = [...table.matchAll(/^\| `([a-z-]+)`/gm)].map(([, code]) => code);
  assert.deepEqual(listed, [...LOSS_CODES]);
});
