import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { build, type Plugin } from "esbuild";

/** The command line, and the scripts that it starts as processes: each file whose name ends with `_child.ts`. */
export const PROGRAMS: readonly string[] = [
  "src/surface/cli/main.ts",
  ...readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith("_child.ts"))
    .map((path) => join("src", path).replaceAll(sep, "/"))
    .sort(),
];

/** Stand for what is known after bundling: the relative path from a bundled file to the output folder, and its URL. */
const [TO_ROOT, FILE_URL] = ["__TO_ROOT__", "__FILE_URL__"];

/**
 * Bundles sources of the repository. What several of them import goes into shared files, so that each module exists
 * once in a process. Node loads a few large files in a third of the time of hundreds of small ones. Packages are not
 * bundled. `keepNames` is off, because its calls prevent users' bundlers from removing what a program does not use.
 *
 * @param sources Paths from the root of the repository, such as `src/surface/cli/main.ts`; each becomes a file with this path.
 * @param urlOf `import.meta.url` of a module, as JavaScript; by default that of the file that it would become if it were
 *   compiled on its own. Modules use it to find scripts beside them.
 */
export async function bundle(sources: readonly string[], folder: string, urlOf = urlInFolder): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [...sources],
    outbase: ".",
    outdir: folder,
    chunkNames: join("chunks", "[name]-[hash]"),
    format: "esm",
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    target: "node20",
    logLevel: "error",
    plugins: [keepUrls(urlOf)],
    write: false,
  });
  for (const { path, text } of outputFiles) {
    const toRoot = relative(dirname(path), resolve(folder)).replaceAll(sep, "/") || ".";
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text.replaceAll(TO_ROOT, toRoot).replaceAll(FILE_URL, "import.meta.url"));
  }
}

function urlInFolder(path: string): string {
  const place = relative(".", path).replaceAll(sep, "/").replace(/\.ts$/, ".js");
  return `new URL(${JSON.stringify(`${TO_ROOT}/${place}`)}, ${FILE_URL}).href`;
}

/** Puts each URL into a constant of its module. Text that contains `import.meta.url`, such as code to write, stays. */
function keepUrls(urlOf: (path: string) => string): Plugin {
  return {
    name: "keep-urls",
    setup: ({ initialOptions, onLoad }) => {
      initialOptions.define = { "import.meta.url": "moduleUrl" };
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const source = readFileSync(path, "utf8");
        if (!source.includes("import.meta.url")) return { contents: source, loader: "ts" };
        return { contents: `const moduleUrl = ${urlOf(path)};\n${source}`, loader: "ts" };
      });
    },
  };
}
