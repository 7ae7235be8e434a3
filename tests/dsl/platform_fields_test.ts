import assert from "node:assert/strict";
import { test } from "node:test";
import { PLATFORM_NAMES } from "../../dsl/generated/mod.ts";
import { flow } from "../../mod.ts";
import { platformNames } from "../../scripts/platform_names.ts";

test("flows have options for each platform of the formats; if not, run npm run docs", () => {
  assert.deepEqual(PLATFORM_NAMES, platformNames());
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
