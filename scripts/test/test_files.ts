import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Where tests run that do not run on each runtime: files, folders, and names of files in any folder, by stage. */
export interface StageFiles {
  readonly packaged: readonly string[];
  readonly pages: readonly string[];
  readonly compiled: readonly string[];
}

/** What runs on Node only. All other tests run on each runtime. */
export const ON_NODE: StageFiles = {
  /** The package, the benches, a long talk in a terminal, and programs that choose their runtime. */
  packaged: [
    "package",
    "bench/small_test.ts",
    "surface/cli/loading_test.ts",
    "surface/cli/tsx_test.ts",
    "surface/cli/chat/tmux_test.ts",
    "examples/runtimes_test.ts",
  ],
  /** The code of pages, which chooses its runtime, and the report in a browser. */
  pages: ["readme", "surface/reporters/html/page_test.ts"],
  /** Compilers, files of the repository, and long texts through functions that are the same on every runtime. */
  compiled: [
    ...["types", "docs", "schemas", "architecture_test.ts"],
    "**/sdk_types_test.ts",
    "dsl/eject/project_test.ts",
    "call/models/long_answers_test.ts",
  ],
};

/** The test files of each stage, and those that run on each runtime. */
export interface TestFiles extends StageFiles {
  readonly everywhere: readonly string[];
}

/**
 * Sorts the test files of a folder by where they run.
 *
 * @throws {Error} If a list names a file that does not exist any more: where it went, it would run on each runtime.
 */
export function testFiles(folder: string, lists: StageFiles = ON_NODE): TestFiles {
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith("_test.ts"))
    .sort();
  const isIn = (part: string) => (name: string) =>
    part.startsWith("**/")
      ? `/${name}`.endsWith(part.slice("**".length))
      : name === part || name.startsWith(`${part}/`);
  const others = [...lists.packaged, ...lists.pages, ...lists.compiled];
  const gone = others.filter((part) => !all.some(isIn(part)));
  if (gone.length > 0) throw new Error(`There are no tests in ${folder} at ${gone.join(", ")}: fix the lists`);
  const inFolder = (names: readonly string[]) => names.map((name) => join(folder, name).replaceAll("\\", "/"));
  const listed = (parts: readonly string[]) => all.filter((name) => parts.some((part) => isIn(part)(name)));
  return {
    packaged: inFolder(listed(lists.packaged)),
    pages: inFolder(listed(lists.pages)),
    compiled: inFolder(listed(lists.compiled)),
    everywhere: inFolder(all.filter((name) => !others.some((part) => isIn(part)(name)))),
  };
}
