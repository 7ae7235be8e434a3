import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { isInstalled, ownRuntime, ROOT, RUNTIMES, runFile } from "../surface/cli/_process.ts";
import { folder } from "../surface/cli/_terminal.ts";

/** What a report says of an agent, without times and ids. */
function normalised(report: string): unknown {
  return JSON.parse(report, (key, value) =>
    ["id", "runId", "startedAt", "timestamp", "durationMs", "duration_ms", "modelMs", "latency", "store"].includes(key)
      ? undefined
      : value,
  );
}

for (const example of ["help-desk", "clinic"]) {
  const file = join(ROOT, "examples", example, "scenarios.ts");
  test(`the ${example} example passes with the same results on all runtimes`, async () => {
    const reports = new Map<string, unknown>();
    for (const runtime of Object.keys(RUNTIMES).filter(isInstalled)) {
      const start = { cwd: folder(), ...(runtime === ownRuntime() ? {} : { runtime }) };
      const { code, out, err } = await runFile(file, ["--json"], start);
      assert.equal(code, 0, `${runtime}: ${err}${out}`);
      reports.set(runtime, normalised(out));
    }
    const [first, ...others] = reports.values();
    for (const other of others) assert.deepEqual(other, first);
    assert.ok(reports.size >= 1);
  });
}
