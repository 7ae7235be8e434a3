/** Bundles the scripts and styles of the pages for browsers, so that the package needs no bundler. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type BuildOptions, buildSync } from "esbuild";

/** Path of the bundles in the repository. */
export const WEB_PAGES = join("src", "surface", "web", "generated", "mod.ts");

const SOURCES = join("src", "surface", "web", "browser");

/** Folders of the pages, and what each is. */
const PAGES = { report: "the HTML report", view: "`callweave view`" } as const;

/** Browsers since 2024. */
const TARGET = ["chrome123", "firefox120", "safari17.5"];

/** The text of the generated file: a script and a style for each folder of pages in `src/surface/web/browser`. */
export function webPages(root: string): string {
  const texts = Object.entries(PAGES).flatMap(([page, what]) => {
    const name = page.toUpperCase();
    const built = (file: string, options: BuildOptions = {}) => bundle(join(root, SOURCES, page, file), options);
    return [
      "",
      `/** The script of ${what}, for browsers. */`,
      `export const ${name}_SCRIPT: string =`,
      `  ${JSON.stringify(built("main.ts", { format: "iife" }))};`,
      "",
      `/** The style of ${what}. */`,
      `export const ${name}_STYLE: string =`,
      `  ${JSON.stringify(built("style.css"))};`,
    ];
  });
  return ["// Made by `npm run docs` from src/surface/web/browser.", ...texts, ""].join("\n");
}

/** Writes the generated file. */
export function writeWebPages(root: string): void {
  const file = join(root, WEB_PAGES);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, webPages(root));
}

function bundle(entry: string, options: BuildOptions): string {
  const { outputFiles = [] } = buildSync({
    entryPoints: [entry],
    bundle: true,
    write: false,
    target: TARGET,
    minify: true,
    charset: "utf8",
    logLevel: "silent",
    ...options,
  });
  return outputFiles[0]?.text.trim() ?? "";
}
