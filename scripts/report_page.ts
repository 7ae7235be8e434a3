/** Bundles the script and the style of the HTML report, so that the package needs no bundler. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildSync, transformSync } from "esbuild";

/** Path of the bundle in the repository. */
export const REPORT_PAGE = join("src", "surface", "reporters", "html", "generated", "mod.ts");

const SOURCES = join("src", "surface", "reporters", "html", "browser");
/** Browsers since 2024. */
const TARGET = ["chrome123", "firefox120", "safari17.5"];

/** The text of the generated file: `src/surface/reporters/html/browser`, bundled for browsers. */
export function reportPage(root: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(root, SOURCES, "main.ts")],
    bundle: true,
    write: false,
    format: "iife",
    target: TARGET,
    minify: true,
    charset: "utf8",
    logLevel: "silent",
  });
  const style = readFileSync(join(root, SOURCES, "style.css"), "utf8");
  const { code } = transformSync(style, { loader: "css", target: TARGET, minify: true, charset: "utf8" });
  return [
    "// Made by `npm run docs` from src/surface/reporters/html/browser.",
    "",
    "/** The script of the HTML report, for browsers. */",
    "export const PAGE_SCRIPT: string =",
    `  ${JSON.stringify(outputFiles[0]?.text.trim() ?? "")};`,
    "",
    "/** The style of the HTML report. */",
    "export const PAGE_STYLE: string =",
    `  ${JSON.stringify(code.trim())};`,
    "",
  ].join("\n");
}

/** Writes the generated file. */
export function writeReportPage(root: string): void {
  const file = join(root, REPORT_PAGE);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, reportPage(root));
}
