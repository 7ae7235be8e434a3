import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { PLATFORM_TABLES } from "../../scripts/platforms/tables.ts";

const PUBLISHED = new URL("../../../shared/platforms/", import.meta.url);
const ROOT = new URL("../../", import.meta.url);

for (const { platform, published, module, make } of PLATFORM_TABLES)
  test(`the tables of ${platform} match the published document; if not, run update-platforms`, (t) => {
    const file = new URL(published, PUBLISHED);
    if (!existsSync(file)) return t.skip(`needs ../shared with ${published}`);
    const text = readFileSync(new URL(module, ROOT), "utf8");
    const date = /"date":"([0-9-]+)"/.exec(text)?.[1] ?? "";
    assert.match(date, /^\d{4}-\d\d-\d\d$/);
    const made = make(JSON.parse(readFileSync(file, "utf8")), date);
    assert.ok(made === text, `${module} is out of date: npm run update-platforms -- ${platform}=${published}`);
  });
