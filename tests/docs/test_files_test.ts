import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { testFiles } from "../../scripts/test/test_files.ts";

/** Ten files, of which one is to run on each runtime. */
const PURE = [...Array.from({ length: 9 }, (_, index) => `graph/${index}_test.ts`), "graph/hash_test.ts"];
const FILES = [
  ...PURE,
  "call/long_test.ts",
  "call/short_test.ts",
  "docs/check_test.ts",
  "docs/help.ts",
  "x/sdk_types_test.ts",
];

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

test("testFiles() sorts files, folders and names of any folder by stage, and the rest runs on each runtime", () =>
  inFolder((folder) => {
    const lists = { packaged: ["call/long_test.ts"], pages: ["docs"], compiled: ["**/sdk_types_test.ts"], pure: [] };
    const found = testFiles(folder, lists);
    const rest = [`${folder}/call/short_test.ts`, ...PURE.map((file) => `${folder}/${file}`)];
    assert.deepEqual(found, {
      packaged: [`${folder}/call/long_test.ts`],
      pages: [`${folder}/docs/check_test.ts`],
      compiled: [`${folder}/x/sdk_types_test.ts`],
      on: { bun: rest, node: rest, deno: rest },
    });
  }));

test("testFiles() gives pure files to one runtime, a tenth of them to each other one, and the named ones to each", () =>
  inFolder((folder) => {
    const lists = { packaged: [], pages: [], compiled: ["docs", "x"], pure: ["graph", "!graph/hash_test.ts"] };
    const pureOf = (files: readonly string[]) =>
      files.filter((file) => file.includes("/graph/")).map((file) => file.slice(`${folder}/graph/`.length));
    const { on } = testFiles(folder, lists, "node");
    assert.deepEqual(pureOf(on.node), PURE.map((file) => file.slice("graph/".length)).sort());
    assert.deepEqual(pureOf(on.bun), ["2_test.ts", "hash_test.ts"]);
    assert.deepEqual(pureOf(on.deno), ["5_test.ts", "hash_test.ts"]);
    for (const files of [on.bun, on.node, on.deno]) assert.ok(files.includes(`${folder}/call/short_test.ts`));
  }));

test("testFiles() refuses a list that names no test, because a file that was moved would run elsewhere", () =>
  inFolder((folder) => {
    for (const part of ["call/moved_test.ts", "cal", "docs/help.ts", "**/long_types_test.ts"])
      for (const list of [{ packaged: [part] }, { pure: [part] }, { pure: [`!${part}`] }])
        assert.throws(
          () => testFiles(folder, { packaged: [], pages: [], compiled: ["docs"], pure: [], ...list }),
          new RegExp(`no tests in .* at ${part.replaceAll("*", "\\*")}: fix the lists`),
        );
  }));
