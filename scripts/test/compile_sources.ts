import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const FOLDERS = ["api", "bench", "dsl", "examples", "platforms", "scripts", "src", "tests"];

/**
 * Compiles all TypeScript files of the repository into a folder, in a second or two, so that the processes of the Node
 * stages need not compile them again: through `tsx` a start of the command line takes three times as long.
 *
 * @returns What to pass to `node --import`: a module that loads the compiled files in place of the sources.
 */
export async function compileSources(folder: string): Promise<string> {
  const sources = FOLDERS.flatMap((from) =>
    readdirSync(from, { recursive: true, encoding: "utf8" }).map((name) => join(from, name)),
  );
  await build({
    entryPoints: ["mod.ts", ...sources.filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))],
    outdir: folder,
    outbase: ".",
    format: "esm",
    target: "node22",
    sourcemap: "inline",
    sourcesContent: false,
    logLevel: "error",
  });
  const hook = pathToFileURL(resolve(folder, "scripts", "test", "load_compiled.js"));
  hook.searchParams.set("root", pathToFileURL(`${resolve(".")}/`).href);
  return hook.href;
}
