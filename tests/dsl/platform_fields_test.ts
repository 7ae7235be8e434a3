import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { flow } from "../../mod.ts";
import { dataOf, listsOf } from "../../scripts/platform_names.ts";
import { PLATFORM_NAMES } from "../../src/document/platforms/mod.ts";

const ROOT = resolve(import.meta.dirname ?? ".", "..", "..");

test("the lists and the data of platforms match their folders; if not, run npm run docs", async () => {
  for (const [file, text] of [...Object.entries(listsOf(ROOT)), ...Object.entries(await dataOf(ROOT))])
    assert.equal(readFileSync(join(ROOT, file), "utf8"), text, file);
});

test("compile() keeps the options of each platform under its name", () => {
  for (const platform of PLATFORM_NAMES) {
    const graph = flow("desk", { [platform]: { a: 1 } })
      .end("bye", { prompt: "Say goodbye.", [platform]: { b: 2 } })
      .compile();
    assert.deepEqual(graph.source_metadata[platform], { a: 1 });
    assert.deepEqual(graph.nodes.bye?.metadata, { [platform]: { b: 2 } });
    const wrong = flow("desk", { [platform]: "a" }).end("bye", { prompt: "Say goodbye." });
    assert.throws(() => wrong.compile(), { code: "invalid-option" });
  }
});
