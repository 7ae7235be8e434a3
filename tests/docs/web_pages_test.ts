import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { webPages } from "../../scripts/web_pages.ts";
import { ROOT } from "../surface/cli/_process.ts";

test("the pages for browsers are what their sources become; if not, run npm run docs", () => {
  for (const [path, text] of webPages(ROOT))
    assert.ok(readFileSync(join(ROOT, path), "utf8") === text, `${path} is old`);
});
