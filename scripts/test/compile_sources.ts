import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type BuildOptions, build, type Plugin } from "esbuild";

const FOLDERS = ["api", "bench", "dsl", "examples", "platforms", "scripts", "src", "tests"];

/**
 * Compiles all TypeScript files of the repository into a folder, in a second or two, so that the processes of the Node
 * stages need not compile them again: through `tsx` a start of the command line takes three times as long.
 *
 * What programs start or import (the command line, `mod.ts` and `api/`) is there twice: file by file, and bundled into
 * a few files, which Node loads in half the time. `load_compiled.ts` says who gets which.
 *
 * @returns What to pass to `node --import`: a module that loads the compiled files in place of the sources.
 */
export async function compileSources(folder: string): Promise<string> {
  const sources = FOLDERS.flatMap((from) =>
    readdirSync(from, { recursive: true, encoding: "utf8" }).map((name) => join(from, name)),
  );
  const files = ["mod.ts", ...sources.filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))];
  const programs = ["mod.ts", ...files.filter((path) => dirname(path) === "api"), join("src", "cli", "main.ts")];
  const options: BuildOptions = { outbase: ".", format: "esm", target: "node22", logLevel: "error" };
  await Promise.all([
    build({ ...options, entryPoints: files, outdir: folder, sourcemap: "inline", sourcesContent: false }),
    build({
      ...options,
      entryPoints: programs,
      outdir: join(folder, "bundled"),
      bundle: true,
      splitting: true,
      packages: "external",
      platform: "node",
      plugins: [KEEP_PLACES],
    }),
  ]);
  const hook = pathToFileURL(resolve(folder, "scripts", "test", "load_compiled.js"));
  hook.searchParams.set("root", pathToFileURL(`${resolve(".")}/`).href);
  return hook.href;
}

/** Files of a bundle find what lies beside their source. */
const KEEP_PLACES: Plugin = {
  name: "keep-places",
  setup: ({ onLoad, initialOptions }) => {
    initialOptions.define = { "import.meta.url": "sourceUrl" };
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const start = `const sourceUrl = ${JSON.stringify(pathToFileURL(path).href)};\n`;
      return { contents: source.includes("import.meta.url") ? start + source : source, loader: "ts" };
    });
  },
};
