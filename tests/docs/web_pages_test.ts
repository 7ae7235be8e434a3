import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { WEB_PAGES, webPages } from "../../scripts/web_pages.ts";
import { ROOT } from "../surface/cli/_process.ts";

test("the pages for browsers are what their sources become; if not, run npm run docs", () => {
  assert.ok(readFileSync(join(ROOT, WEB_PAGES), "utf8") === webPages(ROOT), `${WEB_PAGES} is old`);
});
