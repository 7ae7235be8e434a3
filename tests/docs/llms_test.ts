import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { llmsTexts } from "../../scripts/llms.ts";
import { ROOT } from "../surface/cli/_process.ts";

const texts = llmsTexts(ROOT);
const index = texts.get("llms.txt") ?? "";

test("llms.txt and llms-full.txt match the documentation and ship in the package; if not, run npm run docs", () => {
  assert.deepEqual([...texts.keys()], ["llms.txt", "llms-full.txt"]);
  const { files } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  for (const [name, text] of texts) {
    assert.ok(readFileSync(join(ROOT, name), "utf8") === text, `${name} is old`);
    assert.ok(files.includes(name), name);
  }
});

test("llms.txt has a title, a summary and sections of links, each with one line about a page that exists", () => {
  const [title = "", summary = "", details = "", ...sections] = index.trimEnd().split("\n\n");
  assert.match(title, /^# Callweave$/);
  assert.match(summary, /^> \S[^\n]+$/);
  assert.match(details, /^[^#\n]+$/);
  const lines = sections.filter((_, at) => at % 2 === 1).flatMap((section) => section.split("\n"));
  for (const heading of sections.filter((_, at) => at % 2 === 0)) assert.match(heading, /^## \S/);
  for (const line of lines) {
    const [, path = "", about] = /^- \[[^\]]+\]\(([^)]+)\)(?:: (\S.*))?$/.exec(line) ?? [];
    assert.ok(existsSync(join(ROOT, path)), line);
    assert.ok(about || /^C[A-Z]+\.md$/.test(path), line);
  }
});

test("llms.txt lists every page of docs/, and llms-full.txt has the text of every guide", () => {
  for (const folder of ["docs", "docs/api"])
    for (const name of readdirSync(join(ROOT, folder)).filter((each) => each.endsWith(".md"))) {
      assert.ok(index.includes(`](${folder}/${name})`), `${folder}/${name}`);
      if (folder === "docs")
        assert.ok(texts.get("llms-full.txt")?.includes(readFileSync(join(ROOT, folder, name), "utf8").trim()), name);
    }
});
