import { readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { bundle, PROGRAMS } from "../bundle.ts";

const FOLDERS = ["api", "bench", "dsl", "examples", "platforms", "scripts", "src", "tests"];

/** Scripts of tests that run as processes. */
const TEST_PROGRAMS = [
  ...["tests/run/runner/_killed_run.ts", "tests/deploy/apply_shop.ts", "tests/call/models/_recording_writer.ts"],
  ...["_writer.ts", "_joiner.ts", "_recoverer.ts", "_recording_writer.ts"].map((n) => `tests/run/store/${n}`),
];

/**
 * Compiles all TypeScript files of the repository into a folder, in a second or two, so that the processes of the Node
 * stages need not compile them again: through `tsx` a start of the command line takes three times as long.
 *
 * The programs, and `mod.ts` and `api/` that others import, are there twice: file by file, and bundled into a few files,
 * which Node loads in half the time. `load_compiled.ts` says who gets which.
 *
 * @returns What to pass to `node --import`: a module that loads the compiled files in place of the sources.
 */
export async function compileSources(folder: string): Promise<string> {
  const sources = FOLDERS.flatMap((from) =>
    readdirSync(from, { recursive: true, encoding: "utf8" }).map((name) => join(from, name)),
  );
  const files = ["mod.ts", ...sources.filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))];
  const bundled = ["mod.ts", ...files.filter((path) => dirname(path) === "api"), ...PROGRAMS, ...TEST_PROGRAMS];
  await Promise.all([
    build({
      entryPoints: files,
      outdir: folder,
      outbase: ".",
      format: "esm",
      target: "node22",
      sourcemap: "inline",
      sourcesContent: false,
      logLevel: "error",
    }),
    bundle(bundled, join(folder, "bundled"), (path) => JSON.stringify(pathToFileURL(path).href)),
  ]);
  const hook = pathToFileURL(resolve(folder, "scripts", "test", "load_compiled.js"));
  hook.searchParams.set("root", pathToFileURL(`${resolve(".")}/`).href);
  return hook.href;
}
