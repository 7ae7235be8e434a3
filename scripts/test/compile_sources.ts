import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type BuildOptions, build, type Plugin } from "esbuild";

const FOLDERS = ["api", "bench", "dsl", "examples", "platforms", "scripts", "src", "tests"];

/** What processes start: the command line, the processes that it starts, and scripts of tests. */
const PROGRAMS = [
  ...["src/cli/main.ts", "src/cli/run/watch/watch_child.ts", "src/cli/view/render_child.ts"],
  ...["src/cli/chat/load_child.ts", "tests/runner/_killed_run.ts", "tests/deploy/apply_shop.ts"],
  ...["_writer.ts", "_joiner.ts", "_opener.ts", "_recoverer.ts", "_recording_writer.ts"].map((n) => `tests/store/${n}`),
  "tests/models/_recording_writer.ts",
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
  const programs = ["mod.ts", ...files.filter((path) => dirname(path) === "api"), ...PROGRAMS];
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
    initialOptions.define = { "import.meta.url": "sourceUrl", "import.meta.dirname": "sourceFolder" };
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const [url, folder] = [pathToFileURL(path).href, dirname(path)].map((text) => JSON.stringify(text));
      const start = `const [sourceUrl, sourceFolder] = [${url}, ${folder}];\n`;
      return { contents: source.includes("import.meta.") ? start + source : source, loader: "ts" };
    });
  },
};
