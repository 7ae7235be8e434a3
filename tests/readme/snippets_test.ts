import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { draw } from "../../api/analysis.ts";
import { helpDesk } from "../../examples/help-desk/flow.ts";
import { ERROR_CODES } from "../../src/base/errors.ts";
import { ROOT, runFile } from "../surface/cli/_process.ts";
import { folder } from "../surface/cli/_terminal.ts";
import { inProcesses, PAGES, runPage } from "./_run_page.ts";

/** README.md runs as users type it, on the runtime of the test. */
test("the code of README.md runs with the shown results", () => runPage("README.md", inProcesses));

/** The pages of docs/ share a process of Bun, the runtime that starts the fastest. */
const others = PAGES.filter((page) => page !== "README.md");
let ended: Promise<Readonly<Record<string, string>>> | undefined;

for (const page of others) {
  test(`the code of ${page} runs with the shown results`, async () => {
    ended ??= runPages();
    assert.equal((await ended)[page], "");
  });
}

async function runPages(): Promise<Readonly<Record<string, string>>> {
  const results = join(folder({}), "results.json");
  const driver = join(ROOT, "tests", "readme", "_run_pages.ts");
  const { code, out, err } = await runFile(driver, [results, ...others], { runtime: "bun" });
  const pages: Record<string, string> = existsSync(results) ? JSON.parse(readFileSync(results, "utf8")) : {};
  assert.equal(code, 0, `after ${Object.keys(pages).at(-1)}: ${err}${out}`);
  return pages;
}

test("docs/errors.md explains every error code and no others", () => {
  const text = readFileSync(join(ROOT, "docs", "errors.md"), "utf8");
  const explained = [...text.matchAll(/^\| `([a-z-]+)` +\|/gm)].map(([, code]) => code);
  assert.deepEqual(explained.toSorted(), [...ERROR_CODES].toSorted());
});

test("the picture of the help desk is up to date", () => {
  const drawn = readFileSync(join(ROOT, "docs", "help-desk.svg"), "utf8");
  assert.equal(drawn, draw(helpDesk), "it is old: npm run docs");
});

test("links between the pages are valid", () => {
  for (const page of [...PAGES, "CONTRIBUTING.md"]) {
    const text = readFileSync(join(ROOT, page), "utf8");
    for (const [, target = ""] of text.matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g))
      assert.ok(existsSync(join(ROOT, page, "..", target)), `${page}: ${target}`);
  }
});
