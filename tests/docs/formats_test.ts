import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { formats } from "../../mod.ts";

test("docs/formats.md has a row for each format, in order", () => {
  const page = readFileSync(new URL("../../docs/formats.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| `([\w-]+)` +\| (yes|no) /gm)].map(([, name, imports]) => [name, imports]);
  assert.deepEqual(
    rows,
    formats().map(({ name, imports }) => [name, imports ? "yes" : "no"]),
  );
});
