import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { readProject } from "../../../../src/surface/project/mod.ts";

test("paths of a configuration are from its folder, unless they are absolute", async () => {
  const folder = mkdtempSync(join(tmpdir(), "callweave-project-"));
  const absolute = resolve(folder, "elsewhere.json");
  const config = { source: absolute, scenarios: ["scenarios.ts", absolute], tests: absolute };
  writeFileSync(join(folder, "callweave.config.json"), JSON.stringify(config));
  const reader = { env: {}, readText: async (path: string) => readFileSync(path, "utf8") };
  const project = await readProject(folder, reader);
  assert.equal(project.source, absolute);
  assert.deepEqual(project.scenarioFiles, [join(folder, "scenarios.ts"), absolute, absolute]);
});
