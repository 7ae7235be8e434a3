import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { CHANGE_KINDS } from "../../../../src/agent/analysis/diff/mod.ts";

test("docs/diff.md lists every kind of change with its risk and the reason", () => {
  const page = join(import.meta.dirname ?? "", "..", "..", "..", "..", "docs", "diff.md");
  const rows = readFileSync(page, "utf8").matchAll(/^\| `([a-z-]+)` +\| (\w+) +\| (.*?) +\|$/gm);
  assert.deepEqual(
    [...rows].map(([, kind, risk, rule]) => [kind, risk, rule]),
    Object.entries(CHANGE_KINDS).map(([kind, { risk, rule }]) => [kind, risk, rule]),
  );
});
