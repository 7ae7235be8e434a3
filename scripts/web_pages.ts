/** Bundles the scripts and styles of the pages for browsers, so that the package needs no bundler. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type BuildOptions, buildSync } from "esbuild";

/** A file with bundles, and the pages in it. */
interface Bundles {
  /** Folder with a folder for each page, or with the only page. */
  readonly sources: string;
  readonly pages: readonly {
    readonly folder: string;
    readonly name: string;
    readonly script: string;
    readonly what: string;
  }[];
}

/** Paths of the files with bundles in the repository, and what is in them. */
const BUNDLES: { readonly [path: string]: Bundles } = {
  "src/surface/web/generated/mod.ts": {
    sources: "src/surface/web/browser",
    pages: [
      { folder: "report", name: "REPORT", script: "main.ts", what: "the HTML report" },
      { folder: "view", name: "VIEW", script: "main.ts", what: "`callweave view`" },
    ],
  },
  "src/surface/studio/page/generated/mod.ts": {
    sources: "src/surface/studio/page/browser",
    pages: [{ folder: "", name: "STUDIO", script: "main.tsx", what: "`callweave studio`" }],
  },
};

/** Browsers since 2024. */
const TARGET = ["chrome123", "firefox120", "safari17.5"];

/** The texts of the generated files by their path: a script and a style for each page. */
export function webPages(root: string): ReadonlyMap<string, string> {
  return new Map(Object.entries(BUNDLES).map(([path, bundles]) => [path, bundlesText(root, bundles)]));
}

function bundlesText(root: string, { sources, pages }: Bundles): string {
  const texts = pages.flatMap(({ folder, name, script, what }) => {
    const built = (file: string, options: BuildOptions = {}) => bundle(join(root, sources, folder, file), options);
    return [
      "",
      `/** The script of ${what}, for browsers. */`,
      `export const ${name}_SCRIPT: string =`,
      `  ${JSON.stringify(built(script, { format: "iife", jsx: "automatic", jsxImportSource: "preact" }))};`,
      "",
      `/** The style of ${what}. */`,
      `export const ${name}_STYLE: string =`,
      `  ${JSON.stringify(built("style.css"))};`,
    ];
  });
  return [`// Made by \`npm run docs\` from ${sources}.`, ...texts, ""].join("\n");
}

/** Writes the generated files. */
export function writeWebPages(root: string): void {
  for (const [path, text] of webPages(root)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
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
    // functions that need them are left out, because no page uses them
    external: ["node:*"],
    ...options,
  });
  const text = outputFiles[0]?.text.trim() ?? "";
  const [needed] = /\w+\("node:\w+[^)]*\)/.exec(text) ?? [];
  if (needed !== undefined) throw new Error(`Cannot bundle ${entry}: a browser has no ${needed}`);
  return text;
}
