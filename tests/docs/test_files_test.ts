import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { testFiles } from "../../scripts/test/test_files.ts";

const FILES = ["call/long_test.ts", "call/short_test.ts", "docs/check_test.ts", "docs/help.ts", "x/sdk_types_test.ts"];

function inFolder(work: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "callweave-files-"));
  try {
    for (const file of FILES) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), "");
    }
    work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("testFiles() sorts files, folders and names of any folder by stage, and the rest runs everywhere", () =>
  inFolder((folder) => {
    const lists = { packaged: ["call/long_test.ts"], pages: ["docs"], compiled: ["**/sdk_types_test.ts"] };
    const found = testFiles(folder, lists);
    assert.deepEqual(found, {
      packaged: [`${folder}/call/long_test.ts`],
      pages: [`${folder}/docs/check_test.ts`],
      compiled: [`${folder}/x/sdk_types_test.ts`],
      everywhere: [`${folder}/call/short_test.ts`],
    });
  }));

test("testFiles() refuses a list that names no test, because a file that was moved would run everywhere", () =>
  inFolder((folder) => {
    for (const part of ["call/moved_test.ts", "cal", "docs/help.ts", "**/long_types_test.ts"])
      assert.throws(
        () => testFiles(folder, { packaged: [part], pages: [], compiled: ["docs"] }),
        new RegExp(`no tests in .* at ${part.replaceAll("*", "\\*")}: fix the lists`),
      );
  }));
