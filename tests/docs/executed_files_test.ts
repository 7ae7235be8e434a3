import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { ownStart, ROOT } from "../surface/cli/_process.ts";

const LIMITS = [109, 25, 78];

test("a simulated call, emit, and plan with apply run code of few files; if not, see executed_files.ts --list", async () => {
  const [node = "", ...args] = [...ownStart("each file"), "scripts/executed_files.ts"];
  // the exit code, which is 1 above a limit, is an error of its own
  const { stdout } = await promisify(execFile)(node, args, { cwd: ROOT });
  const measured = rowsOf(stdout);
  assert.deepEqual(
    measured.map(({ limit }) => limit),
    LIMITS,
  );
  for (const { task, files, limit } of measured) assert.ok(files > 0 && files <= limit, `${task}: ${files} files`);

  const [, written = ""] = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8").split("<!-- executed files -->");
  const told = rowsOf(written.split("<!-- end -->")[0] ?? "");
  assert.deepEqual(
    told.map(({ task, limit }) => ({ task, limit })),
    measured.map(({ task, limit }) => ({ task, limit })),
    "run npm run docs",
  );
  for (const { task, files, limit } of told) assert.ok(files > 0 && files <= limit, `${task}: run npm run docs`);
});

function rowsOf(table: string): readonly { readonly task: string; readonly files: number; readonly limit: number }[] {
  return [...table.matchAll(/^\| (.+?) +\| +(\d+) +\| +(\d+) +\|$/gm)].map(([, task = "", files, limit]) => ({
    task,
    files: Number(files),
    limit: Number(limit),
  }));
}
