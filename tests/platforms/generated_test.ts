import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { PLATFORM_TABLES } from "../../scripts/platforms/tables.ts";

const PUBLISHED = new URL("../../../shared/platforms/", import.meta.url);
const ROOT = new URL("../../", import.meta.url);

for (const { platform, published, modules } of PLATFORM_TABLES)
  test(`the tables and types of ${platform} match the published document; if not, run update-platforms`, (t) => {
    const file = new URL(published, PUBLISHED);
    if (!existsSync(file)) return t.skip(`needs ../shared with ${published}`);
    const document = JSON.parse(readFileSync(file, "utf8"));
    const texts = Object.keys(modules).map((module) => readFileSync(new URL(module, ROOT), "utf8"));
    const date = /"date":"([0-9-]+)"/.exec(texts.join("\n"))?.[1] ?? "";
    assert.match(date, /^\d{4}-\d\d-\d\d$/);
    for (const [index, [module, make]] of Object.entries(modules).entries()) {
      const isCurrent = make(document, date) === texts[index];
      assert.ok(isCurrent, `${module} is out of date: npm run update-platforms -- ${platform}=${published}`);
    }
  });
