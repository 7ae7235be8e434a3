import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { REPORT_PAGE, reportPage } from "../../scripts/report_page.ts";
import { ROOT } from "../surface/cli/_process.ts";

test("the page of the HTML report is what its sources become; if not, run npm run docs", () => {
  assert.ok(readFileSync(join(ROOT, REPORT_PAGE), "utf8") === reportPage(ROOT), `${REPORT_PAGE} is old`);
});
