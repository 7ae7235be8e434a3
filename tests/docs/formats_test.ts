import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { formats } from "../../mod.ts";
import { pagesWithTables } from "../../scripts/platform_tables.ts";

const ROOT = resolve(import.meta.dirname ?? ".", "..", "..");

test("docs/formats.md has a row for each format, in order", () => {
  const page = readFileSync(join(ROOT, "docs", "formats.md"), "utf8");
  const rows = [...page.matchAll(/^\| `([\w-]+)` +\| (yes|no) /gm)].map(([, name, imports]) => [name, imports]);
  assert.deepEqual(
    rows,
    formats().map(({ name, imports }) => [name, imports ? "yes" : "no"]),
  );
});

test("the tables of platforms in docs/ are those of their records; if not, run npm run docs", async () => {
  for (const [file, text] of Object.entries(await pagesWithTables(ROOT)))
    assert.equal(readFileSync(join(ROOT, file), "utf8"), text, file);
});
